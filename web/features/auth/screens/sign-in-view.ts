import { paths } from '#web/lib/paths.ts'

const modes = [
  'link',
  'password',
  'sign-up',
  'confirm',
  'confirmed',
  'forgot',
  'sent',
  'changed',
  'deleted',
  'linked',
] as const
export type SignInMode = (typeof modes)[number]
export type SignInView = { mode: SignInMode } | { mode: 'reset'; token: string }

/** The mode of the sign-in page. The password reset email links here with a token. */
export function signInView(query: URLSearchParams): SignInView {
  const token = query.get('reset') || query.get('token')
  if (token) return { mode: 'reset', token }
  const wanted = query.get('mode')
  if (wanted === 'reset') return { mode: 'forgot' }
  return { mode: modes.find((mode) => mode === wanted) ?? 'link' }
}

export function signInAt(mode: SignInMode, email?: string): string {
  const query = new URLSearchParams({ ...(mode === 'link' ? {} : { mode }), ...(email ? { email } : {}) })
  return query.size === 0 ? paths.signIn() : `${paths.signIn()}?${query}`
}
