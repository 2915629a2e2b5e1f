import { useSearch } from 'wouter'
import { MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { useAskForLink } from '#web/features/auth/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { signInAt } from './sign-in-view.ts'
import { EmailSentStep, Step } from './step.tsx'

export function EmailSentScreen() {
  const email = new URLSearchParams(useSearch()).get('email')
  const message = useAskForLink()
  if (!email)
    return (
      <Step title="Проверьте почту" text="Мы отправили письмо со ссылкой для входа.">
        <ButtonLink href={signInAt('link')}>Указать адрес заново</ButtonLink>
      </Step>
    )
  return (
    <EmailSentStep
      email={email}
      message={message}
      text={`Мы отправили ссылку для входа. Откройте письмо на этом устройстве: ссылка действует ${MAGIC_LINK_MINUTES}\u00a0минут и один раз.`}
      back={signInAt('link', email)}
    />
  )
}
