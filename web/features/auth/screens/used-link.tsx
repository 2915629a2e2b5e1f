import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { ForgottenPasswordForm } from '#web/features/auth/account-forms.tsx'
import { lastEmail } from '#web/features/auth/last-email.ts'
import { LinkForm } from '#web/features/auth/sign-in-forms.tsx'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { signInAt } from './sign-in-view.ts'

const SUBMIT = 'Прислать новую'

/** Beside the error of a link from an email: why it failed, and a form for another one. */
export function UsedLink() {
  const [, navigate] = useLocation()
  const [email, setEmail] = useState(lastEmail)
  const mode = new URLSearchParams(useSearch()).get('mode')
  const form = { email, onEmail: setEmail, submit: SUBMIT }
  return (
    <div className="mt-2 flex w-full max-w-sm flex-col gap-4 text-left">
      <p className="text-center text-pretty">{reasonOf(mode)}</p>
      {mode === 'reset' && <ForgottenPasswordForm {...form} onSent={(to) => navigate(signInAt('sent', to))} />}
      {(mode === null || mode === 'link' || mode === 'confirmed') && (
        <LinkForm {...form} onSent={(to) => navigate(paths.emailSent(to))} />
      )}
      {mode === 'linked' && (
        <p className="text-center">
          <TextLink href={paths.signIn()}>Войти через сервис ещё раз</TextLink>
        </p>
      )}
    </div>
  )
}

function reasonOf(mode: string | null): string {
  if (mode === 'reset') return 'Ссылка для нового пароля уже сработала или ей больше часа.'
  if (mode === 'linked') return 'Ссылка уже сработала или ей больше часа.'
  if (mode === 'confirmed')
    return 'Ссылка уже сработала или ей больше часа. Новая впустит вас и заодно подтвердит адрес.'
  return `Ссылка уже сработала или ей больше ${MAGIC_LINK_MINUTES}\u00a0минут.`
}
