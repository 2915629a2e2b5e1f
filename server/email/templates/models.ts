import type { EmailMessage } from '#server/email/mail.ts'
import { formatDay, type LinkEmail, writeEmail } from './layout.ts'

/** With a link to the model. */
interface ModelRetires extends LinkEmail {
  name: string
  /** Like `2027-01-14`. */
  retiresOn: string
  /** The model that people are moved to; null when none is chosen. */
  successor: string | null
  /** The provider's name of a successor that may be added. */
  known: string | null
}

/** To the owner: a provider will switch a model off. */
export function modelRetiresEmail(message: ModelRetires): EmailMessage {
  const { url, name, retiresOn, successor, known } = message
  const day = formatDay(new Date(`${retiresOn}T12:00:00Z`))
  const what = successor
    ? `В этот день чаты, настройки и ассистенты перейдут на модель «${successor}», а «${name}» скроется. Другую замену можно выбрать на странице модели.`
    : `Замена не выбрана. Без неё «${name}» останется в списке и перестанет отвечать. Выберите замену на странице модели.`
  return writeEmail(message, {
    subject: `Модель «${name}» отключат ${day}`,
    before: [
      `Провайдер отключит модель «${name}» ${day}.`,
      what,
      ...(!successor && known ? [`Провайдер предлагает «${known}»: добавьте её в разделе «Модели».`] : []),
    ],
    button: { label: 'Открыть модель', url },
    after: ['Письмо приходит администраторам за 60 и за 14 дней до отключения.'],
  })
}
