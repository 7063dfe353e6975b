"""Settings: one file, driven by the environment, safe when nothing is set.

``PERUDO_DEVELOPMENT=1`` (set by ``scripts/run`` and ``scripts/test``) is for one's own machine:
secrets are made and kept in ``var/``, cookies travel over http, and mail can be read on a page.
Without it the site is in production and refuses to start until its secrets are given.
"""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from perudo_site.environment import Environment, redis_database
from perudo_site.secrets import keep_secret

BASE_DIR = Path(__file__).resolve().parent.parent
# Every setting may also come from a file: NAME_FILE names it.
env = Environment()

DEVELOPMENT: bool = env.flag("PERUDO_DEVELOPMENT")
VAR_DIR = Path(env.str("PERUDO_VAR", default=str(BASE_DIR / "var"))).absolute()
DEBUG: bool = env.flag("DJANGO_DEBUG")
if DEBUG and not DEVELOPMENT:
    raise ImproperlyConfigured("DJANGO_DEBUG shows settings and code to strangers: unset it.")

# --- secrets ---------------------------------------------------------------------------------
SECRET_KEY: str = env.str("SECRET_KEY", default="") or keep_secret(
    "SECRET_KEY", VAR_DIR / "secret_key", allowed=DEVELOPMENT
)
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
# Keys that encrypt the games' seeds at rest: "kid:64 hex digits", the first one encrypts.
SEED_KEYS: list[str] = env.list("SEED_KEYS", default=[]) or [
    "dev:" + keep_secret("SEED_KEYS", VAR_DIR / "seed_key", allowed=DEVELOPMENT)
]
# Signs the pushes to players' devices (VAPID): 64 hex digits. In production none are sent without.
# Its public half is known to browsers: with another key every device has to be turned on again.
VAPID_KEY: str = env.str("VAPID_KEY", default="")
if DEVELOPMENT and not VAPID_KEY:
    VAPID_KEY = keep_secret("VAPID_KEY", VAR_DIR / "vapid_key", allowed=True)

# --- where the site lives ----------------------------------------------------------------------
SITE_NAME: str = env.str("SITE_NAME", default="Perudo by Post")
HOST: str = env.str("HOST", default="127.0.0.1")
PORT: int = env.whole_number("PORT", default=8000)
ALLOWED_HOSTS: list[str] = env.list(
    "ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]", HOST] if DEVELOPMENT else []
)
SITE_URL: str = env.str("SITE_URL", default=f"http://{HOST}:{PORT}").rstrip("/")
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# --- apps and middleware -----------------------------------------------------------------------
INSTALLED_APPS = [
    "accounts",
    "games",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "anymail",
    "perudo_site",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "perudo_site.middleware.front_gate",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "perudo_site.middleware.even_length",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.reader_locale",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "perudo_site.urls"
WSGI_APPLICATION = "perudo_site.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "perudo_site.context.site",
            ],
        },
    }
]

# --- database, cache, broker -------------------------------------------------------------------
DATABASES: dict[str, Any] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'perudo.sqlite3'}")
}
_database = DATABASES["default"]
if _database["ENGINE"].endswith("sqlite3"):
    # WAL + IMMEDIATE: writers queue instead of failing, which is stronger than a row lock.
    _database.setdefault("OPTIONS", {}).update(
        transaction_mode="IMMEDIATE",
        timeout=20,
        # FULL: a move that was acknowledged is still there after a power cut.
        init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    )
    # Threads of a test need a file: the in-memory database locks whole tables.
    _database["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
else:
    _database["CONN_HEALTH_CHECKS"] = True
    # One stuck transaction must not hold up a whole sweep: give up, and be tried again.
    _database.setdefault("OPTIONS", {}).setdefault("options", "-c lock_timeout=2000")
# Connecting costs a tenth of a page, and closing SQLite's last connection writes its log back.
_database["CONN_MAX_AGE"] = env.whole_number("CONN_MAX_AGE", default=60)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A Redis or Valkey: redis://, rediss:// or unix://. `manage.py up` brings its own when unset.
REDIS_URL: str = env.str("REDIS_URL", default="")

CACHES: dict[str, Any] = {
    # Rate limits are counted here: every process must see the same, with or without Redis.
    "database": {
        "BACKEND": "perudo_site.cache.SteadyDatabaseCache",
        "LOCATION": "perudo_site_cacheentry",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
if REDIS_URL:
    CACHES["default"] = {
        "BACKEND": "perudo_site.cache.SteadyRedisCache",
        "LOCATION": redis_database(REDIS_URL, 1, socket_scheme="unix"),
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
else:
    CACHES["default"] = CACHES["database"]

CELERY_BROKER_URL = (
    redis_database(REDIS_URL, 0, socket_scheme="redis+socket")
    if REDIS_URL
    else "memory://localhost"
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_CONCURRENCY: int = env.whole_number("WORKER_PROCESSES", default=2)
# Below the visibility timeout, so that a slow task is ended before it is handed out again.
CELERY_TASK_SOFT_TIME_LIMIT = 200
CELERY_TASK_TIME_LIMIT = 240
# A task whose worker was killed comes back after visibility_timeout + 5 s.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 5,
    "socket_connect_timeout": 1,
    # With CELERY_TASK_PUBLISH_RETRY: a nudge to a dead broker must not hold up the move that sent
    # it; kombu would try for six seconds. The worker has its own way to wait for the broker.
    "max_retries": 0,
}
CELERY_TASK_PUBLISH_RETRY = False
SWEEP_SECONDS = 5.0
CELERY_BEAT_SCHEDULE = {
    "expire-turns": {
        "task": "games.tasks.expire_turns",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "relay-outbox": {
        "task": "games.tasks.relay_outbox",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "count-rounds": {
        "task": "games.tasks.count_rounds",
        "schedule": 60.0,  # nobody waits for it
        "options": {"expires": 60},
    },
    "count-games": {
        "task": "games.tasks.count_games",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "rate-games": {
        "task": "games.tasks.rate_games",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "take-mail-in": {
        "task": "games.tasks.take_mail_in",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "forget-mail": {
        "task": "games.tasks.forget_mail",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "tidy-games": {
        "task": "games.tasks.tidy",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "tidy-accounts": {
        "task": "accounts.tasks.tidy",
        "schedule": 3600.0,  # beat keeps no memory of what it rang: often, and cheap when idle
        "options": {"expires": 3600},
    },
}
# In memory: what is due is written in the database, beat only wakes the sweeps.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"

# --- people ------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
# "password1" makes allauth offer a password at log-in; our sign-up form leaves it out.
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1"]
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.PersonFields"
ACCOUNT_FORMS = {
    "login": "accounts.entrance.LoginForm",
    "signup": "accounts.entrance.SignupForm",
    "confirm_email_verification_code": "accounts.entrance.ConfirmAddressForm",
    "request_login_code": "accounts.plain_forms.RequestCodeForm",
    "confirm_login_code": "accounts.plain_forms.ConfirmLoginCodeForm",
    "reset_password": "accounts.plain_forms.ResetPasswordForm",
    "confirm_password_reset_code": "accounts.plain_forms.ConfirmResetCodeForm",
    "reset_password_from_key": "accounts.plain_forms.NewPasswordForm",
    "change_password": "accounts.plain_forms.ChangePasswordForm",
    "set_password": "accounts.plain_forms.SetPasswordForm",
    "reauthenticate": "accounts.plain_forms.ReauthenticateForm",
    "add_email": "accounts.plain_forms.AddressForm",
}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 180
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# The daily numbers keep anybody from filling a stranger's mailbox with codes.
ACCOUNT_RATE_LIMITS = {
    "confirm_email": "1/10s/key,5/d/key",
    "request_login_code": "20/m/ip,3/m/key,10/d/key",
    "reset_password": "20/m/ip,5/d/key",
}
ALLAUTH_TRUSTED_PROXY_COUNT: int = env.whole_number("TRUSTED_PROXY_COUNT", default=0)
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "add_webauthn": "accounts.entrance.AddPasskeyForm",
    "authenticate": "accounts.plain_forms.AuthenticateForm",
    "reauthenticate": "accounts.plain_forms.ReauthenticateByFactorForm",
    "activate_totp": "accounts.plain_forms.ActivateAppForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = SITE_NAME
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEVELOPMENT
# One row per log-in, none per request.
USERSESSIONS_TRACK_ACTIVITY = False
# Social log-in: SOCIAL_PROVIDERS="google,github", SOCIAL_GOOGLE_CLIENT_ID, SOCIAL_GOOGLE_SECRET
# and so on, with `pip install "django-allauth[socialaccount]"` and `manage.py migrate`.
SOCIAL_PROVIDERS: list[str] = env.list("SOCIAL_PROVIDERS", default=[])
# Where their log-in pages are: a browser follows a form there only if we say so (form-action).
SOCIAL_ORIGINS: list[str] = env.list("SOCIAL_ORIGINS", default=[])
SOCIALACCOUNT_AUTO_SIGNUP = False  # a display name is asked first
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {
    provider: {
        "APPS": [
            {
                "client_id": env.str(f"SOCIAL_{provider.upper()}_CLIENT_ID", default=""),
                "secret": env.str(f"SOCIAL_{provider.upper()}_SECRET", default=""),
                "settings": {"server_url": env.str(f"SOCIAL_{provider.upper()}_URL", default="")},
            }
        ]
    }
    for provider in SOCIAL_PROVIDERS
}
if SOCIAL_PROVIDERS:
    INSTALLED_APPS += [
        "allauth.socialaccount",
        *(f"allauth.socialaccount.providers.{provider}" for provider in SOCIAL_PROVIDERS),
    ]

# --- languages and time -------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("it", _("Italian")),
    ("fr", _("French")),
    ("es", _("Spanish")),
]
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = not DEVELOPMENT
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- mail ---------------------------------------------------------------------------------------
# Development: real SMTP to the project's own listener. Production: any SMTP server by
# EMAIL_URL, or an anymail provider by EMAIL_BACKEND and its ANYMAIL_* variables.
MAIL_PORT: int = env.whole_number("MAIL_PORT", default=8025)
EMAIL_BACKEND: str = env.str("EMAIL_BACKEND", default="django.core.mail.backends.smtp.EmailBackend")
_email = env.email_url("EMAIL_URL", default=f"smtp://127.0.0.1:{MAIL_PORT}")
EMAIL_HOST: str = _email["EMAIL_HOST"]
EMAIL_PORT: int = _email["EMAIL_PORT"]
EMAIL_HOST_USER: str = _email["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD: str = _email["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS: bool = _email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL: bool = _email.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL: str = env.str("DEFAULT_FROM_EMAIL", default=f"{SITE_NAME} <game@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
ANYMAIL = {
    name.removeprefix("ANYMAIL_"): env.str(name)
    for name in {each.removesuffix("_FILE") for each in env.ENVIRON}
    if name.startswith("ANYMAIL_")
}
# Mail in (docs/mail.md). The domain that players answer to, used for nothing else; without one
# nobody plays by mail.
INBOUND_DOMAIN: str = env.str(
    "INBOUND_DOMAIN", default="in.localhost" if DEVELOPMENT else ""
).lower()
# Whose Authentication-Results we believe: the authserv-id (RFC 8601) of our own border. Without
# one no mail counts as authenticated.
MAIL_AUTHSERV_ID: str = env.str("MAIL_AUTHSERV_ID", default="")
# What is believed where no border checks who a mail is from: nothing, so that each is answered with
# a link ("confirm"); or what it says, on one's own machine alone ("trust-local").
MAIL_WITHOUT_BORDER: str = env.str(
    "MAIL_WITHOUT_BORDER", default="trust-local" if DEVELOPMENT else "confirm"
)
# Where `manage.py mail_listener` listens: a port, or a socket's path for LMTP.
MAIL_HOST: str = env.str("MAIL_HOST", default="127.0.0.1")
MAIL_SOCKET: str = env.str("MAIL_SOCKET", default="")
MAIL_PROTOCOL: str = env.str("MAIL_PROTOCOL", default="lmtp" if MAIL_SOCKET else "smtp").lower()
# Providers whose webhooks are mounted, such as "postmark": each needs its ANYMAIL_* secret.
MAIL_WEBHOOKS: list[str] = env.list("MAIL_WEBHOOKS", default=[])
# The page that shows the listener's mail. Never in production: perudo_site.E001 says so.
MAILBOX_ENABLED: bool = env.bool("MAILBOX_ENABLED", default=DEVELOPMENT)

# --- static files ---------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = None if DEVELOPMENT else BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = DEVELOPMENT
WHITENOISE_ALLOW_ALL_ORIGINS = False
if not DEVELOPMENT:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

# --- security -------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF, *SOCIAL_ORIGINS],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}
# Nothing to other sites, yet an Origin on our own forms: with "no-referrer" browsers post
# "Origin: null", which the CSRF check refuses.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Forms and htmx carry the token in the page, so no script needs the cookie.
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
FILE_UPLOAD_HANDLERS = ["perudo_site.uploads.NoFiles"]
if not DEVELOPMENT:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^live$", r"^ready$"]  # asked for from inside, over http
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    MESSAGE_STORAGE = "perudo_site.notes.HostMessages"
    if env.flag("BEHIND_TLS_PROXY"):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- logging --------------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": "perudo_site.logs.OneLine"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    # aiosmtpd tells every line of every conversation, sign-in codes' addresses included.
    "loggers": {"mail.log": {"level": "WARNING"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
# What goes wrong is told without the values it went wrong with.
DEFAULT_EXCEPTION_REPORTER = "perudo_site.errors.Reporter"
DEFAULT_EXCEPTION_REPORTER_FILTER = "perudo_site.errors.NoValues"

# --- the game -------------------------------------------------------------------------------------
BOT_DELAY_SECONDS: float = env.float("BOT_DELAY_SECONDS", default=3.0)
# Relays of drand's quicknet: new games then roll with public randomness (docs/beacon.md).
BEACON_URLS: list[str] = env.list("BEACON_URLS", default=[])
# The mailbox of `manage.py canary`, whose game's secrets are looked for in logs and mails.
CANARY_ADDRESS: str = env.str("CANARY_ADDRESS", default="")
