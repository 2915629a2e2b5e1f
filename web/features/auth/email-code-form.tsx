import { useState } from 'react'
import { authApi } from '#contract/auth.ts'
import { api } from '#web/lib/api.ts'
import { wantedPath } from '#web/lib/next-path.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { CodeField } from '#web/ui/form/code-field.tsx'
import { followRedirect } from './queries.ts'
import { readCode } from './read-code.ts'

/** Signs in this browser by the code of the email, which may be open on another device. */
export function EmailCodeForm({ email }: { email: string }) {
  const signIn = useEmailCode(email)
  const [code, setCode] = useState('')
  return (
    <CallForm call={signIn} submit="Войти" onSubmit={() => signIn.mutate(code)}>
      <CodeField label="Код из письма" value={code} onChange={setCode} />
    </CallForm>
  )
}

/** Loads the page anew: the router would redirect from here to the home page, not to the requested page. */
function useEmailCode(email: string) {
  return useFormCall(async (typed: string) => {
    const body = { email, code: readCode(typed), callbackURL: wantedPath() }
    return followRedirect(await api(authApi.signInEmailCode, { body }))
  })
}
