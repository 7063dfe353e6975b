"""Files: this site takes none."""

from typing import Any, NoReturn

from django.core.files.uploadhandler import FileUploadHandler, SkipFile


class NoFiles(FileUploadHandler):
    """Skips every file of a form, so that none reaches memory or disk; the fields are read."""

    def new_file(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse the file.

        :raises SkipFile: always.
        """
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Take nothing: no file ever gets so far."""

    def file_complete(self, file_size: int) -> None:
        """Have nothing to hand over."""
