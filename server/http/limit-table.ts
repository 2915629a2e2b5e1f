/** What a limit counts by. */
export type LimitScope = 'user' | 'network' | 'address'

export interface LimitRow {
  /** Shown on the admin screen of limits. */
  title: string
  per: LimitScope
  points: number
  seconds: number
  /** Counted by each instance separately. */
  isLocal?: boolean
  /** Shown to the user before the waiting time instead of the general sentence. */
  rejection?: string
}

const MINUTE = 60
const TEN_MINUTES = 600
const QUARTER = 900
const HOUR = 3600
const DAY = 86_400

/**
 * Every rate limit. The key of `user` is an id, of `network` the client's IP, of `address` an email address. Frequent
 * actions are counted by each instance separately, because a shared count costs a write.
 */
export const limitTable = {
  api: { title: 'Запросы к API', per: 'network', points: 3000, seconds: MINUTE, isLocal: true },
  writes: {
    title: 'Любые изменения без своей строки',
    per: 'user',
    points: 300,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много изменений подряд.',
  },
  webhook: { title: 'Сообщения платёжной системы', per: 'network', points: 1200, seconds: MINUTE, isLocal: true },
  sockets: { title: 'Новые соединения WebSocket', per: 'network', points: 600, seconds: MINUTE, isLocal: true },

  auth: { title: 'Запросы ко входу', per: 'network', points: 300, seconds: MINUTE },
  'link-ip': { title: 'Письма со ссылкой для входа', per: 'network', points: 60, seconds: TEN_MINUTES },
  'link-address': { title: 'Письма со ссылкой для входа', per: 'address', points: 5, seconds: TEN_MINUTES },
  'code-ip': { title: 'Вход по коду из письма', per: 'network', points: 60, seconds: TEN_MINUTES },
  'code-address': {
    title: 'Неверные коды из письма',
    per: 'address',
    points: 10,
    seconds: DAY,
    rejection: 'Слишком много неверных кодов. Войдите по ссылке из письма.',
  },
  'password-ip': { title: 'Вход по паролю', per: 'network', points: 10, seconds: MINUTE },
  'password-address': {
    title: 'Неверные пароли при входе',
    per: 'address',
    points: 10,
    seconds: QUARTER,
    rejection: 'Слишком много неверных паролей. Войдите по ссылке из письма.',
  },
  'password-user': {
    title: 'Неверные пароли в аккаунте',
    per: 'user',
    points: 5,
    seconds: QUARTER,
    rejection: 'Слишком много неверных паролей.',
  },
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
    seconds: QUARTER,
  },
  'second-factor-day': {
    title: 'Неверные коды и пароли при подтверждении за сутки',
    per: 'user',
    points: 40,
    seconds: DAY,
    rejection: 'Слишком много неверных кодов за сутки.',
  },
  'proof-emails': { title: 'Письма с кодом подтверждения', per: 'user', points: 5, seconds: TEN_MINUTES },
  gifts: { title: 'Стартовые символы новым людям', per: 'network', points: 10, seconds: DAY },
  emails: {
    title: 'Письма на один адрес, кроме писем об оплате',
    per: 'address',
    points: 6,
    seconds: TEN_MINUTES,
    rejection: 'На этот адрес уже ушло несколько писем. Проверьте папку «Спам».',
  },

  sends: {
    title: 'Сообщения и новые варианты ответа',
    per: 'user',
    points: 30,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много сообщений подряд.',
  },
  edits: {
    title: 'Правки сообщений',
    per: 'user',
    points: 30,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много правок подряд.',
  },
  threads: {
    title: 'Новые чаты',
    per: 'user',
    points: 300,
    seconds: TEN_MINUTES,
    isLocal: true,
    rejection: 'Слишком много новых чатов подряд.',
  },
  forks: {
    title: 'Копии чатов',
    per: 'user',
    points: 20,
    seconds: HOUR,
    rejection: 'Слишком много копий чатов за час.',
  },
  lists: {
    title: 'Список чатов и поиск',
    per: 'user',
    points: 300,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много запросов к списку чатов.',
  },
  'help-search': { title: 'Поиск в справке', per: 'network', points: 300, seconds: MINUTE, isLocal: true },
  'thread-title': { title: 'Новые названия чатов', per: 'user', points: 20, seconds: HOUR },
  'thread-export': { title: 'Скачивание чатов', per: 'user', points: 60, seconds: TEN_MINUTES },
  shares: {
    title: 'Ссылки на чаты и промпты',
    per: 'user',
    points: 60,
    seconds: HOUR,
    rejection: 'Слишком много новых ссылок за час.',
  },
  'shared-read': { title: 'Чтение чатов по ссылке', per: 'network', points: 60, seconds: MINUTE },
  summaries: {
    title: 'Сжатие чатов',
    per: 'user',
    points: 20,
    seconds: TEN_MINUTES,
    rejection: 'Слишком много сжатий подряд.',
  },
  translate: { title: 'Переводы', per: 'user', points: 30, seconds: MINUTE },

  assistants: {
    title: 'Новые ассистенты',
    per: 'user',
    points: 30,
    seconds: HOUR,
    rejection: 'Слишком много новых ассистентов за час.',
  },
  'assistant-files': {
    title: 'Файлы ассистентов',
    per: 'user',
    points: 120,
    seconds: HOUR,
    rejection: 'Слишком много файлов для ассистентов за час.',
  },
  'assistant-try': { title: 'Пробные ответы ассистента', per: 'user', points: 30, seconds: MINUTE },
  'web-searches': {
    title: 'Поиск в интернете',
    per: 'user',
    points: 100,
    seconds: DAY,
    rejection: 'Поисков в интернете за сутки слишком много. Вопрос можно задать и без поиска.',
  },
  'web-pages': {
    title: 'Чтение страниц по ссылкам',
    per: 'user',
    points: 120,
    seconds: HOUR,
    rejection: 'Слишком много страниц за час. Вопрос можно задать и без чтения страницы.',
  },
  prompts: {
    title: 'Новые и изменённые промпты',
    per: 'user',
    points: 120,
    seconds: TEN_MINUTES,
    isLocal: true,
    rejection: 'Слишком много новых и изменённых промптов подряд.',
  },
  'prompt-imports': {
    title: 'Загрузка промптов из файла',
    per: 'user',
    points: 60,
    seconds: HOUR,
    rejection: 'Слишком много файлов с промптами за час.',
  },
  'prompt-uses': { title: 'Применения промптов', per: 'user', points: 120, seconds: HOUR, isLocal: true },

  pictures: {
    title: 'Новые изображения',
    per: 'user',
    points: 60,
    seconds: TEN_MINUTES,
    rejection: 'Слишком много изображений подряд.',
  },
  uploads: {
    title: 'Загрузка файлов',
    per: 'user',
    points: 120,
    seconds: MINUTE,
    rejection: 'Слишком много файлов подряд.',
  },
  recordings: { title: 'Новые расшифровки', per: 'user', points: 60, seconds: HOUR },
  'recording-pieces': { title: 'Части больших записей', per: 'user', points: 600, seconds: MINUTE },
  'transcript-files': { title: 'Файлы с расшифровкой', per: 'user', points: 60, seconds: TEN_MINUTES },

  'data-export': {
    title: 'Скачивание всех данных аккаунта',
    per: 'user',
    points: 5,
    seconds: HOUR,
    rejection: 'Данные аккаунта уже скачаны несколько раз.',
  },
  tables: {
    title: 'Скачивание таблиц',
    per: 'user',
    points: 60,
    seconds: TEN_MINUTES,
    rejection: 'Слишком много таблиц подряд.',
  },

  'document-consents': {
    title: 'Согласия с документами и их отзыв',
    per: 'user',
    points: 30,
    seconds: HOUR,
    rejection: 'Согласия менялись слишком часто.',
  },
  'document-read': { title: 'Чтение документов продавца', per: 'network', points: 300, seconds: MINUTE, isLocal: true },
  consents: {
    title: 'Согласия на продление тарифа',
    per: 'user',
    points: 20,
    seconds: DAY,
    rejection: 'Согласий за сутки слишком много.',
  },
  orders: {
    title: 'Открытые заказы',
    per: 'user',
    points: 20,
    seconds: TEN_MINUTES,
    rejection: 'Слишком много заказов подряд.',
  },
  disputes: {
    title: 'Оспоренные списания',
    per: 'user',
    points: 20,
    seconds: HOUR,
    rejection: 'Слишком много обращений за час.',
  },
  'promo-user': { title: 'Неверные промокоды', per: 'user', points: 10, seconds: HOUR },
  'promo-ip': { title: 'Неверные промокоды', per: 'network', points: 30, seconds: HOUR },
} satisfies Record<string, LimitRow>

export type LimitName = keyof typeof limitTable

export interface TotalRow {
  title: string
  per: 'user' | 'network' | 'process'
  most: number
}

/** Every limit on how many at once or in all. */
export const totalTable = {
  'open-sockets': { title: 'Открытые соединения WebSocket', per: 'user', most: 20 },
  'open-sockets-ip': { title: 'Открытые соединения WebSocket', per: 'network', most: 200 },
  'open-sockets-all': { title: 'Открытые соединения WebSocket', per: 'process', most: 10_000 },
  'open-streams': { title: 'Ответы, которые читаются сразу', per: 'user', most: 10 },
  'making-documents': { title: 'Документы Word, которые готовятся сразу', per: 'user', most: 1 },
  'stored-threads': { title: 'Чаты, вместе с корзиной', per: 'user', most: 20_000 },
  'stored-megabytes': { title: 'Место под сообщения, МБ', per: 'user', most: 200 },
  'fork-messages': { title: 'Сообщения в одной копии чата', per: 'user', most: 5000 },
  'stored-prompts': { title: 'Свои промпты', per: 'user', most: 2000 },
} satisfies Record<string, TotalRow>

export type TotalName = keyof typeof totalTable
export type Totals = Readonly<Record<TotalName, number>>
