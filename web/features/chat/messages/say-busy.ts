import { message } from '#web/lib/notify.ts'

export function sayBusy(): void {
  message.error('Ответ ещё пишется. Дождитесь конца или остановите его.')
}
