import { Redirect, useSearch } from 'wouter'
import { PENDING_MINUTES } from '#contract/auth-factors.ts'
import { PasskeyButton } from '#web/features/auth/passkey-button.tsx'
import { SecondStepForm } from '#web/features/auth/second-step-form.tsx'
import { nextPath, wantedPath } from '#web/lib/next-path.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { Step } from './step.tsx'

export default function SecondFactorScreen() {
  const user = useSession()
  const next = nextPath(new URLSearchParams(useSearch()).get('next'), wantedPath())
  if (user) return <Redirect to={next} replace />
  return (
    <Step
      title="Второй шаг входа"
      text={`Введите код из приложения для кодов. На это есть ${PENDING_MINUTES}\u00a0минут.`}
    >
      <SecondStepForm />
      <div className="mt-6">
        <PasskeyButton />
      </div>
      <p className="mt-4 text-[15px]">
        <TextLink href={paths.signIn()}>Войти заново</TextLink>
      </p>
    </Step>
  )
}
