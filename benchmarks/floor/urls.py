"""Addresses of the floor."""

from django.urls import path

from benchmarks.floor import views

urlpatterns = [
    path("<int:pk>/", views.page, name="floor_page"),
    path("<int:pk>/play/", views.play, name="floor_play"),
]
