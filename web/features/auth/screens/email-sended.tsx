import { useSearch } from 'wouter'
import { MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { EmailCodeForm } from '#web/features/auth/email-code-form.tsx'
import { useRequestSignInLink } from '#web/features/auth/queries.ts'
import { typedQuestion } from '#web/lib/pending-question.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmailSentStep } from './email-sent-step.tsx'
import { signInAt } from './sign-in-view.ts'
import { Step } from './step.tsx'

export default function EmailSentScreen() {
  const email = new URLSearchParams(useSearch()).get('email')
  const message = useRequestSignInLink()
  if (!email)
    return (
      <Step title="Проверьте почту" text="Мы отправили письмо с кодом и ссылкой для входа.">
        <ButtonLink href={signInAt('link')}>Указать адрес заново</ButtonLink>
      </Step>
    )
  return (
    <EmailSentStep
      title="Введите код из письма"
      email={email}
      message={message}
      text={`Он действует ${MAGIC_LINK_MINUTES}\u00a0минут. ${typedQuestion() ? 'Ваш вопрос сохранён.' : 'Письмо можно открыть и на телефоне.'}`}
      back={signInAt('link', email)}
    >
      <EmailCodeForm email={email} />
    </EmailSentStep>
  )
}
