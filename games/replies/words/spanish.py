from games.replies.words.table import Habits, Words

SPANISH = Words(
    code="es",
    my_dice="mis dados",
    status="estado",
    history="historial,historia",
    help="ayuda",
    cancel="cancela,cancelar",
    stop_mail="no más correo,no más correos,basta de correo",
    accept="acepto,aceptar,participo,sí",
    decline="rechazo,rechazar,no",
    polite="por favor,gracias",
    order="orden,órdenes",
    say="decir,mensaje",
    habits=Habits(
        wrote="el … escribió",
        sender="de",
        original="mensaje original",
        forwarded="mensaje reenviado,inicio del mensaje reenviado",
        answers="re,rta,resp",
        forwards="rv,reenv",
        away=(
            "respuesta automática,fuera de la oficina,fuera de oficina,ausente,ausencia,"
            "de vacaciones,mensaje automático,contestación automática"
        ),
    ),
)
