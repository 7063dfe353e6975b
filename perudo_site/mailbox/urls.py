"""Addresses of the mailbox."""

from django.urls import path

from perudo_site.mailbox import views

urlpatterns = [
    path("", views.message_list, name="mailbox"),
    path("<int:pk>/", views.message_detail, name="mailbox_message"),
    path("<int:pk>/html/", views.message_html, name="mailbox_html"),
    path("<int:pk>/thread/", views.message_thread, name="mailbox_thread"),
    path("<int:pk>/reply/", views.message_reply, name="mailbox_reply"),
]
