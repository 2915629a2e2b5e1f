import { plural } from '#web/lib/format.ts'

/** «Ждут отправки: 2 сообщения.»; nothing to say when none do. */
export function waitingLabel(count: number): string | undefined {
  if (count === 0) return
  return `${plural(count, 'Ждёт', 'Ждут', 'Ждут')} отправки: ${count} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}.`
}
