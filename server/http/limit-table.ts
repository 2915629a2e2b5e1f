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
  /** A call that is malformed or stands in the way of another is given back. Not for guesses, nor for what costs work. */
  forgivesRefusals?: boolean
}

const MINUTE = 60
const TEN_MINUTES = 600
const QUARTER = 900
const HOUR = 3600
const DAY = 86_400

/**
 * Every rate limit. The key of `user` is an id, of `network` the client's IP, of `address` an email address. Similar
 * calls share a row, unless one of them guards a secret or must work when the others are refused. Frequent actions are
 * counted by each instance separately, because a shared count costs a write.
 */
export const limitTable = {
  api: { title: 'Все запросы', per: 'network', points: 3000, seconds: MINUTE, isLocal: true },
  public: {
    title: 'Справка, документы и чаты по ссылке, без входа',
    per: 'network',
    points: 300,
    seconds: MINUTE,
    isLocal: true,
  },
  webhook: { title: 'Сообщения платёжной системы', per: 'network', points: 1200, seconds: MINUTE, isLocal: true },
  auth: { title: 'Запросы ко входу', per: 'network', points: 300, seconds: MINUTE },

  'links-ip': {
    title: 'Письма для входа, регистрации и смены почты',
    per: 'network',
    points: 60,
    seconds: TEN_MINUTES,
  },
  'links-address': {
    title: 'Письма для входа, сброса пароля и подтверждения',
    per: 'address',
    points: 5,
    seconds: TEN_MINUTES,
  },
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
  'second-factor': { title: 'Неверные коды и пароли при подтверждении', per: 'user', points: 10, seconds: QUARTER },
  'second-factor-day': {
    title: 'Неверные коды и пароли при подтверждении за сутки',
    per: 'user',
    points: 40,
    seconds: DAY,
    rejection: 'Слишком много неверных кодов за сутки.',
  },
  emails: {
    title: 'Письма на один адрес, кроме писем об оплате',
    per: 'address',
    points: 6,
    seconds: TEN_MINUTES,
    rejection: 'На этот адрес уже ушло несколько писем. Проверьте папку «Спам».',
  },
  gifts: { title: 'Стартовые символы новым людям', per: 'network', points: 10, seconds: DAY },
  'promo-user': { title: 'Неверные промокоды', per: 'user', points: 10, seconds: HOUR },
  'promo-ip': { title: 'Неверные промокоды', per: 'network', points: 30, seconds: HOUR },

  sends: {
    title: 'Сообщения и новые варианты ответа',
    per: 'user',
    points: 30,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много сообщений подряд.',
  },
  models: {
    title: 'Изображения, переводы, сжатие чатов, протоколы и пробные ответы',
    per: 'user',
    points: 30,
    seconds: MINUTE,
    rejection: 'Слишком много запросов к моделям подряд.',
  },
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
  writes: {
    title: 'Изменения, у которых нет своей строки',
    per: 'user',
    points: 300,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много изменений подряд.',
  },
  lists: {
    title: 'Список чатов и поиск',
    per: 'user',
    points: 300,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много запросов к списку чатов.',
  },
  uploads: {
    title: 'Загрузка файлов и записей, по частям',
    per: 'user',
    points: 600,
    seconds: MINUTE,
    rejection: 'Слишком много файлов подряд.',
  },
  imports: {
    title: 'Переносы чатов из других сервисов',
    per: 'user',
    points: 10,
    seconds: DAY,
    rejection: 'За сутки не больше десяти переносов.',
    forgivesRefusals: true,
  },
  downloads: {
    title: 'Скачивание таблиц, чатов и расшифровок',
    per: 'user',
    points: 60,
    seconds: TEN_MINUTES,
    rejection: 'Слишком много скачанных файлов подряд.',
  },
  'page-pictures': {
    title: 'Картинки страниц',
    per: 'user',
    points: 120,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много страниц подряд.',
  },
  heavy: {
    title: 'Копии, ссылки, ассистенты, проекты, названия и выгрузки',
    per: 'user',
    points: 30,
    seconds: HOUR,
    rejection: 'За час слишком много больших действий: копий, ссылок, ассистентов, проектов, выгрузок.',
    forgivesRefusals: true,
  },
  'programs-ip': {
    title: 'Запросы программ с ключами API',
    per: 'network',
    points: 1200,
    seconds: MINUTE,
    isLocal: true,
  },
  'programs-user': {
    title: 'Запросы программ с ключами API, со всеми ключами',
    per: 'user',
    points: 600,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много запросов с вашими ключами API.',
  },
  'programs-key': {
    title: 'Запросы программ с одним ключом API',
    per: 'user',
    points: 300,
    seconds: MINUTE,
    isLocal: true,
    rejection: 'Слишком много запросов с этим ключом API.',
  },
  'program-addresses': {
    title: 'Картинки по адресам в запросах программ',
    per: 'user',
    points: 300,
    seconds: HOUR,
    rejection: 'Слишком много картинок по адресам за час. Передавайте их в самом запросе: data:image/png;base64,…',
  },
  money: {
    title: 'Заказы, согласия и обращения об оплате',
    per: 'user',
    points: 30,
    seconds: TEN_MINUTES,
    rejection: 'Слишком много заказов и согласий подряд.',
  },
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
  'program-calls': { title: 'Запросы программ, которые выполняются сразу', per: 'user', most: 20 },
  'program-answers-megabytes': {
    title: 'Место под ответы программам, которые можно повторить, МБ',
    per: 'user',
    most: 50,
  },
  'making-documents': { title: 'Документы Word, которые готовятся сразу', per: 'user', most: 1 },
  'making-minutes': { title: 'Протоколы и письма по записям, которые пишутся сразу', per: 'user', most: 3 },
  'stored-threads': { title: 'Чаты, вместе с корзиной', per: 'user', most: 30_000 },
  'stored-megabytes': { title: 'Место под сообщения, МБ', per: 'user', most: 200 },
  'imported-megabytes': { title: 'Место под перенесённые сообщения, МБ', per: 'user', most: 500 },
  'fork-messages': { title: 'Сообщения в одной копии чата', per: 'user', most: 5000 },
  'stored-projects': { title: 'Проекты', per: 'user', most: 100 },
  'api-keys': { title: 'Ключи API, без отключённых', per: 'user', most: 20 },
  'stored-prompts': { title: 'Свои промпты', per: 'user', most: 2000 },
} satisfies Record<string, TotalRow>

export type TotalName = keyof typeof totalTable
export type Totals = Readonly<Record<TotalName, number>>
