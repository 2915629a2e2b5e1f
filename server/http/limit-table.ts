/** Whose tries a limit counts. */
type LimitScope = 'user' | 'network' | 'address'

export interface LimitRow {
  /** What the owner reads on the screen of limits. */
  title: string
  per: LimitScope
  points: number
  seconds: number
  /** Counted by this instance alone. */
  isLocal?: boolean
}

const MINUTE = 60
const TEN_MINUTES = 600
const FIFTEEN_MINUTES = 900
const HOUR = 3600

/** Every limit of the product. The key of `user` is an id, of `network` the caller's IP, of `address` an e-mail. */
export const limitTable = {
  // A coarse fence, so each instance keeps its own count: a shared one would cost every call a write.
  api: { title: 'Запросы к API', per: 'network', points: 3000, seconds: MINUTE, isLocal: true },
  auth: { title: 'Запросы ко входу', per: 'network', points: 300, seconds: MINUTE },
  'link-ip': { title: 'Письма со ссылкой для входа', per: 'network', points: 60, seconds: TEN_MINUTES },
  'link-address': { title: 'Письма со ссылкой для входа', per: 'address', points: 5, seconds: TEN_MINUTES },
  'password-ip': { title: 'Вход по паролю', per: 'network', points: 10, seconds: MINUTE },
  'sign-up-ip': { title: 'Регистрации с паролем', per: 'network', points: 20, seconds: TEN_MINUTES },
  'reset-ip': { title: 'Письма о сбросе пароля', per: 'network', points: 60, seconds: TEN_MINUTES },
  'reset-address': { title: 'Письма о сбросе пароля', per: 'address', points: 3, seconds: TEN_MINUTES },
  'verify-ip': { title: 'Письма для подтверждения почты', per: 'network', points: 60, seconds: TEN_MINUTES },
  'verify-address': { title: 'Письма для подтверждения почты', per: 'address', points: 3, seconds: TEN_MINUTES },
  'change-email-ip': { title: 'Смена почты', per: 'network', points: 10, seconds: TEN_MINUTES },
  'second-factor': {
    title: 'Неверные коды и пароли при подтверждении',
    per: 'user',
    points: 10,
    seconds: FIFTEEN_MINUTES,
  },
  'proof-letters': { title: 'Письма с кодом подтверждения', per: 'user', points: 5, seconds: TEN_MINUTES },
  'promo-user': { title: 'Неверные промокоды', per: 'user', points: 10, seconds: HOUR },
  'promo-ip': { title: 'Неверные промокоды', per: 'network', points: 30, seconds: HOUR },
  uploads: { title: 'Загрузка файлов', per: 'user', points: 120, seconds: MINUTE },
  recordings: { title: 'Новые расшифровки', per: 'user', points: 60, seconds: HOUR },
  'recording-pieces': { title: 'Части больших записей', per: 'user', points: 600, seconds: MINUTE },
  'transcript-files': { title: 'Файлы с расшифровкой', per: 'user', points: 60, seconds: TEN_MINUTES },
  translate: { title: 'Переводы', per: 'user', points: 30, seconds: MINUTE },
  'assistant-try': { title: 'Пробные ответы ассистента', per: 'user', points: 30, seconds: MINUTE },
  'thread-title': { title: 'Новые названия чатов', per: 'user', points: 20, seconds: HOUR },
  'thread-export': { title: 'Скачивание чатов', per: 'user', points: 60, seconds: TEN_MINUTES },
  'shared-read': { title: 'Чтение чатов по ссылке', per: 'network', points: 60, seconds: MINUTE },
} satisfies Record<string, LimitRow>

export type LimitName = keyof typeof limitTable
