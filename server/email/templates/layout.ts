import type { EmailMessage } from '#server/email/mail.ts'
import { dayZone } from '#server/lib/day-zone.ts'
import { escapeHtml } from '#server/lib/html.ts'

export interface Addressee {
  to: string
  appName: string
}

export interface LinkEmail extends Addressee {
  url: string
}

interface Content {
  subject: string
  /** Paragraphs between the greeting and the button. */
  before: string[]
  /** Digits to be typed elsewhere, shown large. */
  code?: string
  beforeButton?: string[]
  button?: { label: string; url: string }
  /** Paragraphs below it: how long it works, what to do if it was not you. */
  after: string[]
}

/** Colours are left to the mail client, so that dark mode works. */
export function writeEmail({ to, appName }: Addressee, content: Content): EmailMessage {
  const { subject, code, beforeButton = [], button, after } = content
  const before = ['Здравствуйте!', ...content.before]
  return {
    to,
    subject: subject.replace(/[\r\n]+/g, ' '),
    text: [
      ...before,
      ...(code ? [code] : []),
      ...beforeButton,
      ...(button ? [button.url] : []),
      ...after,
      `— ${appName}`,
    ].join('\n\n'),
    html: page(
      subject,
      [
        ...before.map((text) => paragraph(text)),
        ...(code ? [digits(code)] : []),
        ...beforeButton.map((text) => paragraph(text)),
        ...(button ? [link(button), rawLink(button.url)] : []),
        ...after.map((text) => paragraph(text, SMALL)),
        paragraph(`— ${appName}`, SMALL),
      ].join('\n'),
    ),
  }
}

const SMALL = 'margin:0 0 12px;font-size:14px;opacity:.75'
const NORMAL = 'margin:0 0 16px;font-size:16px'

function paragraph(text: string, style = NORMAL): string {
  return `<p style="${style}">${escapeHtml(text)}</p>`
}

function digits(code: string): string {
  const style =
    'margin:16px 0 24px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;font-weight:700;letter-spacing:6px'
  return `<p style="${style}">${escapeHtml(code)}</p>`
}

function link({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:12px 24px;border-radius:8px;background:#4439ab;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none'
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`
}

function rawLink(url: string): string {
  const shown = escapeHtml(url)
  return `<p style="${SMALL};word-break:break-all">Если кнопка не работает, скопируйте адрес в браузер:<br><a href="${shown}">${shown}</a></p>`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:24px;font-family:-apple-system,'Segoe UI',Roboto,Arial,sans-serif;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
${body}
</div>
</body>
</html>
`
}

/** Formats minor units: «29,90 BYN», «299,00 ₽». */
export function formatSum(amount: number, currency: string): string {
  const currencyDisplay = currency === 'RUB' ? 'symbol' : 'code'
  const format = new Intl.NumberFormat('ru-RU', { style: 'currency', currency, currencyDisplay })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

const plural = new Intl.PluralRules('ru-RU')

function counted(count: number, [one, few, many]: [one: string, few: string, many: string]): string {
  const form = plural.select(count)
  return `${new Intl.NumberFormat('ru-RU').format(count)} ${form === 'one' ? one : form === 'few' ? few : many}`
}

export const formatSymbols = (count: number) => counted(count, ['символ', 'символа', 'символов'])
export const formatDays = (count: number) => counted(count, ['день', 'дня', 'дней'])

export function formatDay(date: Date): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Minsk' } as const
  return date.toLocaleDateString('ru-RU', parts).replace(/ г\.$/, ' года')
}

export function formatMoment(date: Date): string {
  const time = date.toLocaleTimeString('ru-RU', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Minsk' })
  return `${formatDay(date)}, ${time} ${dayZone()}`
}
