import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { ApiError, errorStatus } from '#contract/errors.ts'
import { statusAndMessage } from './error-text.ts'

type Field = 'email' | 'password' | 'newPassword'

/** Error texts by field; `form` is shown over the button. */
export interface FormErrors extends Partial<Record<Field | 'form', string>> {
  /** The session is too old: the user has to sign in again. */
  needsSignIn?: boolean
}

const stale = new Set(['SESSION_EXPIRED'])

const fields: Record<string, Field> = {
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
  'Email is the same': 'email',
  "Couldn't update your email": 'email',
  INVALID_PASSWORD: 'password',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
}

export function formErrorsOf(error: Error | null): FormErrors {
  if (!error) return {}
  if (!(error instanceof ApiError)) return { form: error.message }
  const field = fields[error.code] ?? fields[error.message] ?? 'form'
  return { [field]: errorText(error), ...(stale.has(error.code) && { needsSignIn: true }) }
}

/** Texts for the errors of the sign-in calls: each says what to do next. */

const askAgain = 'Запросите новую ссылку и попробуйте ещё раз.'
const restart = 'Начните вход заново.'
const otherWay = 'Войдите по ссылке из письма или другим способом.'

const byCode = table({
  TOKEN_EXPIRED: `Срок действия ссылки истёк. ${askAgain}`,

  INVALID_EMAIL: 'Проверьте адрес почты: он должен быть похож на anna@mail.ru.',
  INVALID_EMAIL_OR_PASSWORD:
    'Неверная почта или пароль. Проверьте раскладку и Caps Lock или войдите по ссылке из письма.',
  INVALID_PASSWORD: 'Пароль неверный. Проверьте раскладку и Caps Lock.',
  EMAIL_NOT_VERIFIED: 'Адрес ещё не подтверждён. Мы отправили вам письмо: откройте ссылку в нём и войдите снова.',
  PASSWORD_TOO_SHORT: `Пароль слишком короткий: нужно не меньше ${PASSWORD_MIN}\u00a0знаков.`,
  PASSWORD_TOO_LONG: `Пароль слишком длинный: можно не больше ${PASSWORD_MAX}\u00a0знаков.`,
  USER_ALREADY_EXISTS: 'Аккаунт с таким адресом уже есть. Войдите в него или укажите другую почту.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'Аккаунт с таким адресом уже есть. Войдите в него или укажите другую почту.',
  PASSWORD_ALREADY_SET: 'Пароль уже задан. Обновите страницу, чтобы сменить его.',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'У этого аккаунта нет пароля. Создайте его в профиле или входите по ссылке из письма.',
  EMAIL_ALREADY_VERIFIED: 'Этот адрес уже подтверждён.',
  BANNED_USER: 'Этот аккаунт заблокирован. Если это ошибка, напишите в поддержку.',

  FAILED_TO_CREATE_SESSION: 'Не получилось войти. Попробуйте ещё раз через минуту.',
  FAILED_TO_GET_SESSION: 'Не получилось проверить, кто вошёл. Обновите страницу.',
  FAILED_TO_CREATE_USER: 'Не получилось создать аккаунт. Попробуйте ещё раз через минуту.',
  SESSION_EXPIRED: 'Для этого нужен недавний вход. Выйдите, войдите снова и повторите.',
  UNAUTHORIZED: 'Вы больше не в системе. Войдите снова.',

  PROVIDER_NOT_FOUND: `Этот способ входа не подключён. ${otherWay}`,
  ID_TOKEN_NOT_SUPPORTED: `Этот сервис не поддерживает такой вход. ${otherWay}`,
  FAILED_TO_GET_USER_INFO: `Сервис не сообщил, кто вы. ${restart}`,
  USER_EMAIL_NOT_FOUND: `Сервис не сообщил адрес почты. ${otherWay}`,
  FAILED_TO_UNLINK_LAST_ACCOUNT:
    'Это единственный привязанный способ входа. Сначала создайте пароль или привяжите другой сервис.',
  ACCOUNT_NOT_FOUND: 'Этот способ входа уже отвязан. Обновите страницу.',
  SOCIAL_ACCOUNT_ALREADY_LINKED: 'Эта учётная запись сервиса уже привязана к другому аккаунту.',
  LINKED_ACCOUNT_ALREADY_EXISTS: 'Этот сервис уже привязан.',
})

const byMessage = table({
  'Email is the same': 'Это ваш нынешний адрес. Укажите другой.',
  "Couldn't update your email":
    'Этот адрес занять не получилось: возможно, он принадлежит другому аккаунту. Укажите другой.',
  'Email and password is not enabled': 'Вход по паролю выключен. Войдите по ссылке из письма.',
  "Reset password isn't enabled": 'Сброс пароля выключен. Войдите по ссылке из письма.',
  'Change email is disabled': 'Смена адреса выключена.',
  "Verification email isn't enabled": 'Письма для подтверждения адреса выключены.',
  'Account not linked - linking not allowed': 'Этот сервис нельзя привязать: он не подтвердил ваш адрес почты.',
  'Account not linked - different emails not allowed':
    'Почта в сервисе не совпадает с вашей. Привязать можно только сервис с тем же адресом.',
  'Account not linked - unable to create account': 'Не получилось привязать сервис. Попробуйте ещё раз.',
  'Either userId or session is required': 'Вы больше не в системе. Войдите снова.',
  'Account not found': 'Этот способ входа уже отвязан. Обновите страницу.',
  'Failed to get a valid access token': 'Сервис не дал доступа. Отвяжите его и привяжите снова.',
  'Failed to refresh access token': 'Сервис не дал доступа. Отвяжите его и привяжите снова.',
  'Access token not found': 'Сервис не дал доступа. Отвяжите его и привяжите снова.',
})

const NOT_SUPPORTED = /^Provider (\S+) is not supported\.?$/

/** A Map, because an object would also answer to «toString» and other inherited names. */
function table(texts: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(texts))
}

export function errorText(error: Pick<ApiError, 'status' | 'code' | 'message'>): string {
  if (error.code === 'INVALID_TOKEN') return 'Код недействителен'
  return statusAndMessage({ status: error.status, message: sentenceOf(error) })
}

function sentenceOf({ status, code, message }: Pick<ApiError, 'status' | 'code' | 'message'>): string {
  if (status === 429 && code !== 'too_many_requests')
    return 'Слишком много попыток. Подождите несколько минут и попробуйте ещё раз.'
  const known = byCode.get(code) ?? byMessage.get(message)
  if (known) return known
  const provider = NOT_SUPPORTED.exec(message)?.[1]
  if (provider) return `Вход через ${provider} не поддерживается. ${otherWay}`
  return isOfLibrary(code, message) ? code : message
}

/** A code of the sign-in library that has no text here. An error without a code has only its message. */
function isOfLibrary(code: string, message: string): boolean {
  const own = Object.hasOwn(errorStatus, code) || ['network', 'bad_answer', 'unknown'].includes(code)
  return !own && !/[а-яё]/i.test(message)
}
