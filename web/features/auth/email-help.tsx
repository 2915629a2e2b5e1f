import { ExternalLink, Inbox } from 'lucide-react'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { formatCountdown } from './countdown.ts'
import { useEmailCooldown } from './email-cooldown.ts'
import { FormError } from './form-error.tsx'
import { mailServiceOf } from './mail-services.ts'
import { type EmailCall, useSignInElsewhere } from './queries.ts'

interface EmailHelpProps {
  email: string
  message: EmailCall
}

/** Helps to find the email: a link to the mail service, and a button that sends another one. */
export function EmailHelp({ email, message }: EmailHelpProps) {
  useSignInElsewhere()
  const pause = useEmailCooldown(email)
  const { mailboxUrl } = pageConfig()
  const service = mailServiceOf(email)
  return (
    <div className="flex flex-col gap-3">
      {mailboxUrl && (
        <a href={mailboxUrl} target="_blank" rel="noopener" className={buttonStyle('primary', 'md')}>
          <Inbox size={18} aria-hidden="true" />
          Открыть ящик разработки
        </a>
      )}
      {service && (
        <a
          href={service.url}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonStyle(mailboxUrl ? 'secondary' : 'primary', 'md')}
        >
          <ExternalLink size={18} aria-hidden="true" />
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
        {message.isSuccess && pause > 0 && 'Отправили ещё одно письмо. Действует ссылка из последнего.'}
      </p>
      <FormError text={message.errors.form ?? message.errors.email} />
      <p className="text-pretty text-sm text-muted">
        Письма нет пару минут? Загляните в «Спам» и проверьте адрес.{' '}
        <TextLink inText href={paths.help('account/sign-in-letter')}>
          Что ещё помогает
        </TextLink>
      </p>
    </div>
  )
}
