/** What the two plugins refuse, in words that say what to do next; the page shows them as they come. */
const words = new Map(
  Object.entries({
    INVALID_CODE: 'Код не подошёл. Проверьте время на телефоне и введите новый код.',
    INVALID_BACKUP_CODE: 'Этот код восстановления не подошёл или уже использован.',
    INVALID_TWO_FACTOR_COOKIE: 'Время второго шага вышло. Войдите заново.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Слишком много неверных кодов. Войдите заново.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Слишком много неверных кодов. Подождите 15\u00a0минут и войдите заново.',
    TOTP_ALREADY_ENABLED: 'Вход в два шага уже включён. Обновите страницу.',
    PASSKEY_NOT_FOUND: 'Этот ключ доступа здесь не зарегистрирован. Войдите другим способом.',
    AUTHENTICATION_FAILED: 'Ключ доступа не подошёл. Попробуйте ещё раз или войдите другим способом.',
    CHALLENGE_NOT_FOUND: 'Прошло слишком много времени. Попробуйте ещё раз.',
    FAILED_TO_VERIFY_REGISTRATION: 'Ключ доступа не добавился. Попробуйте ещё раз.',
  }),
)

export function inRussian(returned: unknown): void {
  if (!(returned instanceof Error) || !('body' in returned)) return
  const body = returned.body as { code?: string; message?: string } | undefined
  const text = body?.code && words.get(body.code)
  if (text && !/[а-яё]/i.test(body.message ?? '')) body.message = text
}
