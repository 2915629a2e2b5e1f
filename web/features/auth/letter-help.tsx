import { ExternalLink, Inbox } from 'lucide-react'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { formatCountdown } from './countdown.ts'
import { FormFault } from './form-fault.tsx'
import { useLetterPause } from './letter-times.ts'
import { mailServiceOf } from './mail-services.ts'
import { type LetterCall, useSignInElsewhere } from './queries.ts'

interface LetterHelpProps {
  email: string
  letter: LetterCall
}

/** What helps a letter to be found: where it is read, and a second one if it does not come. */
export function LetterHelp({ email, letter }: LetterHelpProps) {
  useSignInElsewhere()
  const pause = useLetterPause(email)
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
      <Button busy={letter.isPending} disabled={pause > 0} onClick={() => letter.mutate({ email })} className="figures">
        {pause > 0 ? `Отправить ещё раз через ${formatCountdown(pause)}` : 'Отправить ещё раз'}
      </Button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {letter.isSuccess && pause > 0 && 'Отправили ещё одно письмо. Действует ссылка из последнего.'}
      </p>
      <FormFault text={letter.fault.form ?? letter.fault.email} />
      <p className="text-pretty text-sm text-muted">
        Письма нет пару минут? Загляните в «Спам» и проверьте адрес.{' '}
        <TextLink inText href={paths.help('account/sign-in-letter')}>
          Что ещё помогает
        </TextLink>
      </p>
    </div>
  )
}
