import type { Config } from './config.ts'

/** What a person at the terminal needs next: the address, where letters go, how to become the owner. */
export function greet(config: Config, address: string, buildId: string): void {
  const emails = config.smtp
    ? `уходят через ${new URL(config.smtp.url).host}`
    : `складываются в ${config.appUrl}/dev/mail`
  const owner =
    config.adminEmails.length > 0
      ? `кто войдёт по ссылке из письма с адресом ${config.adminEmails.join(', ')}`
      : config.firstUserIsAdmin
        ? 'кто войдёт первым (или задайте ADMIN_EMAILS)'
        : 'никто: задайте ADMIN_EMAILS=вы@почта'
  const { fakeBepaid, settings } = config.payments
  const payment = fakeBepaid ? 'понарошку, деньги не списываются' : settings ? 'bePaid' : 'не настроена'
  const data = 'url' in config.database ? 'Postgres из DATABASE_URL' : `встроенная база в ${config.database.folder}`
  process.stdout.write(
    [
      '',
      `  ${config.appName}: ${config.appUrl}`,
      `  Слушаю:        ${address}`,
      `  Письма:        ${emails}`,
      `  Администратор: ${owner}`,
      `  Оплата:        ${payment}`,
      `  Данные:        ${data}`,
      `  Сборка:        ${buildId}`,
      '',
      '',
    ].join('\n'),
  )
}
