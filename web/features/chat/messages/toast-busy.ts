import { message } from '#web/lib/notify.ts'

export function toastBusy(): void {
  message.error('Ответ ещё пишется. Дождитесь конца или остановите его.')
}
