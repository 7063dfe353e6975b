"""The floor's tables: a game, its moves, its outbox."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class FloorGame(models.Model):
    version = models.PositiveIntegerField(default=0)
    to_act = models.PositiveSmallIntegerField(default=0)
    bid_quantity = models.PositiveIntegerField(null=True)
    bid_face = models.PositiveSmallIntegerField(null=True)
    turn_deadline_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["FloorGame"]] = models.Manager()

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return str(self.pk)


class FloorMove(models.Model):
    game = models.ForeignKey(FloorGame, on_delete=models.CASCADE)
    number = models.PositiveIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    quantity = models.PositiveIntegerField()
    face = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()

    objects: ClassVar[models.Manager["FloorMove"]] = models.Manager()

    class Meta:
        app_label = "floor"
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="floor_move_number")]

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"


class FloorOutbox(models.Model):
    game = models.ForeignKey(FloorGame, on_delete=models.CASCADE)
    kind = models.CharField(max_length=12)
    version = models.PositiveIntegerField()
    due_at = models.DateTimeField(db_index=True)

    objects: ClassVar[models.Manager["FloorOutbox"]] = models.Manager()

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return f"{self.kind} {self.version}"
