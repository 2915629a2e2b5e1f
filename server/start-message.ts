import type { AdminsSoFar } from './auth/roles.ts'
import type { Config } from './config.ts'

interface StartedServer {
  address: string
  buildId: string
  admins: AdminsSoFar
}

/** What the operator needs next: the address, where emails go, who is or becomes admin. */
export function startMessage(config: Config, { address, buildId, admins }: StartedServer): string {
  const emails = config.smtp
    ? `уходят через ${new URL(config.smtp.url).host}`
    : `складываются в ${config.appUrl}/dev/mail`
  const { fakeBepaid, fakeYookassa, bepaid, yookassa } = config.payments
  const gateways = [bepaid && 'bePaid', yookassa && 'ЮKassa'].filter(Boolean).join(' и ')
  const payment =
    fakeBepaid || fakeYookassa
      ? 'тестовая, деньги не списываются'
      : gateways || 'не настроена. Попробовать тестовую: YOOKASSA_STAND_IN=1 npm start'
  const data = 'url' in config.database ? 'Postgres из DATABASE_URL' : `встроенная база в ${config.database.folder}`
  return [
    '',
    `  ${config.appName}: ${config.appUrl}`,
    `  Слушаю:        ${address}`,
    `  Письма:        ${emails}`,
    `  Администратор: ${adminsText(config, admins)}`,
    `  Оплата:        ${payment}`,
    `  Данные:        ${data}`,
    `  Сборка:        ${buildId}`,
    '',
    '',
  ].join('\n')
}

type AdminSettings = Pick<Config, 'adminEmails' | 'firstUserIsAdmin'>

/** The settings say who becomes admin, the database who is; in one with people the first visitor is not the first. */
export function adminsText(
  { adminEmails, firstUserIsAdmin }: AdminSettings,
  { emails, hasPeople }: AdminsSoFar,
): string {
  const coming = adminEmails.filter((email) => !emails.includes(email))
  const becomes = coming.length > 0 ? [`кто войдёт по письму с адресом ${coming.join(', ')}`] : []
  const all = [...emails, ...becomes]
  if (all.length > 0) return all.join(', ')
  if (firstUserIsAdmin && !hasPeople) return 'кто войдёт первым (или задайте ADMIN_EMAILS)'
  return 'никто: задайте ADMIN_EMAILS=вы@почта и перезапустите'
}
