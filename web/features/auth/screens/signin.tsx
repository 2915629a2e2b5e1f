import { useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { wantedPath } from '#web/lib/next-path.ts'
import { useSession } from '#web/lib/session.ts'
import { EnterStep } from './enter-step.tsx'
import { type SignInMode, signInView } from './sign-in-view.ts'

/** Not needed for the first visit, whose JavaScript has a budget. */
const AccountStep = lazyComponent(async () => (await import('./account-step.tsx')).AccountStep)

const accountModes = new Set<SignInMode>(['sign-up', 'forgot', 'confirm', 'sent'])

export default function SignInScreen() {
  const user = useSession()
  const query = new URLSearchParams(useSearch())
  const view = signInView(query)
  const emailInQuery = query.get('email') ?? ''
  const [email, setEmail] = useState(emailInQuery)
  if (user && view.mode !== 'reset') return <Redirect to={wantedPath()} replace />
  if (view.mode === 'reset' || accountModes.has(view.mode))
    return <AccountStep view={view} sentTo={emailInQuery || email} email={email} onEmail={setEmail} />
  return <EnterStep mode={view.mode} email={email} onEmail={setEmail} />
}
