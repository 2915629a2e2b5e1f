import { UserRound } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import type { NavItem } from './navigation.ts'

/** What people may call the sections besides, for the search. */
export const otherNames: Record<string, string> = {
  [paths.threads()]: 'беседы переписка история архив корзина',
  [paths.assistants()]: 'помощники боты',
  [paths.images()]: 'картинки рисунки генерация',
  [paths.transcribe()]: 'аудио голос запись транскрибация',
  [paths.prompts()]: 'запросы шаблоны',
  [paths.help()]: 'справка поддержка вопросы',
  [paths.adminStatistic()]: 'управление графики отчёт',
  [paths.adminUsers()]: 'управление люди',
  [paths.adminTransactions()]: 'управление платежи списания',
  [paths.adminPlans()]: 'управление подписки цены',
  [paths.adminModels()]: 'управление нейросети',
  [paths.adminPromoCodes()]: 'управление скидки купоны',
  [paths.adminTokenBundles()]: 'управление',
  [paths.adminDisputes()]: 'управление споры списания возврат жалобы',
  [paths.adminAudit()]: 'управление аудит действия администраторов история',
  [paths.adminLimits()]: 'управление лимиты квоты защита отказы',
}

const sections: [id: string | undefined, label: string, words: string][] = [
  [undefined, 'Профиль', 'аккаунт кабинет настройки'],
  ['balance', 'Баланс', 'символы остаток деньги'],
  ['plan', 'Подписка', 'тариф оплата купить'],
  ['bundles', 'Пакеты символов', 'купить докупить пополнить'],
  ['promo', 'Промокод', 'купон скидка'],
  ['usage', 'Расход по дням', 'статистика траты график'],
  ['operations', 'Операции', 'списания начисления история'],
  ['receipts', 'Платежи и чеки', 'оплата квитанции'],
  ['chat', 'Настройки чата', 'модель память названия enter'],
  ['appearance', 'Оформление', 'тема тёмная светлая'],
  ['account', 'Обо мне', 'имя фото аватар'],
  ['email', 'Почта', 'адрес email'],
  ['password', 'Пароль', 'сменить'],
  ['sign-in', 'Способы входа', 'соцсети привязать'],
  ['second-factor', 'Вход в два шага', 'код приложение безопасность'],
  ['passkeys', 'Ключи доступа', 'passkey отпечаток'],
  ['sessions', 'Сеансы', 'устройства выйти'],
  ['delete', 'Удаление аккаунта', 'удалить'],
]

export interface ProfilePlace extends NavItem {
  words: string
}

export const profilePlaces: ProfilePlace[] = sections.map(([id, label, words]) => ({
  href: paths.profile(id),
  label,
  words,
  Icon: UserRound,
}))
