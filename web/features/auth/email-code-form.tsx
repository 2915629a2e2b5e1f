import { useState } from 'react'
import { authApi } from '#contract/auth.ts'
import { CODE_LENGTH } from '#contract/auth-factors.ts'
import { ApiError } from '#contract/errors.ts'
import { api } from '#web/lib/api.ts'
import { wantedPath } from '#web/lib/next-path.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { CodeField } from '#web/ui/form/code-field.tsx'
import { followRedirect } from './queries.ts'
import { readCode } from './read-code.ts'

const isWhole = (code: string) => code.replace(/\s/g, '').length === CODE_LENGTH

/** Signs in this browser by the code of the email, which may be open on another device. The last digit sends it. */
export function EmailCodeForm({ email }: { email: string }) {
  const signIn = useEmailCode(email)
  const [code, setCode] = useState('')
  // After a success the browser is already on its way to the next page.
  const isBusy = signIn.isPending || signIn.isSuccess

  function send(typed: string) {
    if (isBusy) return
    signIn.mutate(typed, {
      // A wrong code is typed anew; one that did not arrive is sent again.
      onError: (error) => error instanceof ApiError && error.status === 400 && setCode(''),
    })
  }

  function write(typed: string) {
    setCode(typed)
    if (isWhole(typed) && typed !== code) send(typed)
  }

  return (
    <CallForm
      call={signIn}
      submit="Войти"
      onSubmit={() => send(code)}
      footer={
        <>
          <ErrorNote text={isBusy ? undefined : signIn.errors.form} />
          {isWhole(code) && (
            <Button type="submit" variant="primary" busy={isBusy}>
              Войти
            </Button>
          )}
        </>
      }
    >
      <CodeField label="Код из письма" value={code} onChange={write} />
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
