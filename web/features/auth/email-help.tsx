import { formatCountdown } from '#web/lib/countdown.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ErrorNote } from '#web/ui/callout.tsx'
import { ExternalLink, Inbox } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { useWatchSignIn } from './account-queries.ts'
import { useEmailCooldown } from './email-cooldown.ts'
import type { EmailCall } from './queries.ts'

interface EmailHelpProps {
  email: string
  message: EmailCall
}

/** Helps to find the email: a link to the mail service, and a button that sends another one. */
export function EmailHelp({ email, message }: EmailHelpProps) {
  useWatchSignIn()
  const pause = useEmailCooldown(email)
  const { mailboxUrl } = pageConfig()
  const service = mailServiceOf(email)
  return (
    <div className="flex flex-col gap-3">
      {mailboxUrl && (
        <a href={mailboxUrl} target="_blank" rel="noopener" className={buttonStyle('secondary', 'md')}>
          <Inbox size={18} />
          Открыть ящик разработки
        </a>
      )}
      {service && (
        <a href={service.url} target="_blank" rel="noopener noreferrer" className={buttonStyle('secondary', 'md')}>
          <ExternalLink size={18} />
          {service.invitation}
        </a>
      )}
      <Button
        busy={message.isPending}
        disabled={pause > 0}
        onClick={() => message.mutate({ email })}
        className="figures"
      >
        {pause > 0 ? `Отправить ещё раз через ${formatCountdown(pause)}` : 'Отправить ещё раз'}
      </Button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {message.isSuccess && pause > 0 && 'Отправили ещё одно письмо. Нужно последнее.'}
      </p>
      <ErrorNote text={message.errors.form ?? message.errors.email} />
      {pause === 0 && (
        <p className="text-pretty text-sm text-muted">
          Письма нет пару минут? Загляните в «Спам» и проверьте адрес.{' '}
          <TextLink inText href={paths.help('account/sign-in-letter')}>
            Что ещё помогает
          </TextLink>
        </p>
      )}
    </div>
  )
}

interface MailService {
  /** The text of the button that opens it. */
  invitation: string
  url: string
}

const services: [domains: string, invitation: string, url: string][] = [
  ['mail.ru inbox.ru list.ru bk.ru internet.ru vk.com', 'Открыть Почту Mail', 'https://e.mail.ru/'],
  ['yandex.ru ya.ru yandex.com yandex.by yandex.kz narod.ru', 'Открыть Яндекс Почту', 'https://mail.yandex.ru/'],
  ['gmail.com googlemail.com', 'Открыть Gmail', 'https://mail.google.com/'],
  [
    'rambler.ru rambler.ua lenta.ru ro.ru autorambler.ru myrambler.ru',
    'Открыть Рамблер/почту',
    'https://mail.rambler.ru/',
  ],
  ['outlook.com hotmail.com live.com msn.com live.ru hotmail.ru', 'Открыть Outlook', 'https://outlook.live.com/mail/'],
  ['icloud.com me.com mac.com', 'Открыть почту iCloud', 'https://www.icloud.com/mail'],
  ['proton.me protonmail.com pm.me', 'Открыть Proton Mail', 'https://mail.proton.me/'],
  ['yahoo.com ymail.com', 'Открыть Yahoo Mail', 'https://mail.yahoo.com/'],
]

export function mailServiceOf(email: string): MailService | null {
  const domain = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
  const [, invitation, url] = services.find(([domains]) => domains.split(' ').includes(domain)) ?? []
  return invitation && url ? { invitation, url } : null
}
