import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Eye, EyeOff } from '#web/ui/icons.ts'
import { AccountField, type AccountFieldProps } from './account-fields.tsx'
import { CallForm, type CallFormProps } from './call-form.tsx'

interface PasswordFieldProps extends AccountFieldProps {
  name?: string
  autoComplete?: 'current-password' | 'new-password'
}

/** With a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye

  /** Browsers lose the caret when the type of a field changes. */
  function toggle() {
    const { selectionStart = null, selectionEnd = null } = input.current ?? {}
    flushSync(() => setIsShown(!isShown))
    input.current?.setSelectionRange(selectionStart, selectionEnd)
  }

  return (
    <AccountField
      ref={input}
      name="current-password"
      type={isShown ? 'text' : 'password'}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label="Показать введённое"
          aria-pressed={isShown}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-muted hover:text-ink"
        >
          <Icon size={18} />
        </button>
      }
      {...props}
    />
  )
}

interface NewPasswordFormProps extends Omit<CallFormProps, 'onSubmit' | 'children'> {
  label: string
  onSubmit: (password: string) => void
  children?: ReactNode
}

/** A form that sets a password; its other fields are the children. */
export function NewPasswordForm({ label, onSubmit, children, ...form }: NewPasswordFormProps) {
  const [password, setPassword] = useState('')
  const error = form.call.errors.newPassword
  const hint = `Не меньше ${PASSWORD_MIN}\u00a0знаков. Длинная фраза надёжнее набора значков.`
  return (
    <CallForm {...form} onSubmit={() => onSubmit(password)}>
      {children}
      <PasswordField
        label={label}
        hint={error ? null : hint}
        name="new-password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={error}
      />
    </CallForm>
  )
}
