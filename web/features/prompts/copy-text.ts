import { message } from '#web/lib/notify.ts'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    message.success('Текст скопирован')
  } catch {
    message.error('Браузер не дал скопировать. Выделите текст и скопируйте сами.')
  }
}
