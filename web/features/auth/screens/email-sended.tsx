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
      email={email}
      message={message}
      text={`Мы отправили код и ссылку для входа. Введите код здесь, даже если письмо открыто на другом устройстве. Он действует ${MAGIC_LINK_MINUTES}\u00a0минут.`}
      back={signInAt('link', email)}
    >
      <EmailCodeForm email={email} />
      {typedQuestion() && (
        <p className="mt-4 text-sm text-muted">Ваш вопрос сохранён: отправим его сразу после входа.</p>
      )}
    </EmailSentStep>
  )
}
