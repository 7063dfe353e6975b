"""Nobody stores a file here."""

import pytest
from django.core.files import uploadhandler
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import RequestFactory

LARGE = b"x" * (4 * 1024 * 1024)  # beyond what Django keeps in memory


def sent() -> HttpRequest:
    file = SimpleUploadedFile("../../x.svg", b"<svg onload=alert(1)>" + LARGE)
    return RequestFactory().post("/settings/", {"display_name": "Alice", "avatar": file})


def test_a_file_in_a_form_reaches_neither_memory_nor_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise AssertionError("a file was taken")

    for handler in (
        uploadhandler.MemoryFileUploadHandler,
        uploadhandler.TemporaryFileUploadHandler,
    ):
        monkeypatch.setattr(handler, "new_file", fail)
    request = sent()
    assert not request.FILES
    assert request.POST["display_name"] == "Alice", "the fields are read all the same"


def test_no_form_asks_for_a_file() -> None:
    from pathlib import Path

    for page in Path("templates").rglob("*.html"):
        text = page.read_text()
        assert 'type="file"' not in text, page
        assert "multipart/form-data" not in text, page
