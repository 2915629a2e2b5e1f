import { expect, test } from 'vitest'
import { findScreen, screens } from './screens.ts'

test.each([
  ['/', 'index'],
  ['/help', 'help'],
  ['/help/money/symbols', 'help-slug'],
  ['/auth/signin', 'auth-signin'],
  ['/auth/second-factor', 'auth-second-factor'],
  ['/auth/email-sended', 'auth-email-sended'],
  ['/prompts', 'prompts'],
  ['/prompts/add', 'prompts-add'],
  ['/prompts/17', 'prompts-id'],
  ['/images', 'images'],
  ['/threads', 'threads'],
  ['/threads/abc', 'threads-id'],
  ['/shared/abc', 'shared-id'],
  ['/profile', 'profile'],
  ['/profile/operations', 'profile-operations'],
  ['/profile/settings', 'profile-settings'],
  ['/profile/account', 'profile-account'],
  ['/promptcms', 'promptcms'],
  ['/assistants', 'assistants'],
  ['/assistants/create', 'assistants-create'],
  ['/assistants/7/edit', 'assistants-id-edit'],
  ['/transcribe', 'transcribe'],
  ['/admin/plans/add', 'admin-plans-add'],
  ['/admin/plans/7', 'admin-plans-id'],
  ['/admin/models', 'admin-models'],
  ['/admin/users/7', 'admin-users-id'],
  ['/admin/promocodes/add', 'admin-promocodes-add'],
  ['/admin/statistic', 'admin-statistic'],
  ['/admin/status', 'admin-status'],
  ['/admin/transactions', 'admin-transactions'],
  ['/admin/tokens-bundles', 'admin-tokens-bundles'],
  ['/admin/disputes', 'admin-disputes'],
  ['/admin/disputes/7', 'admin-disputes-id'],
  ['/admin/audit', 'admin-audit'],
  ['/admin/limits', 'admin-limits'],
  ['/admin/documents', 'admin-documents'],
  ['/admin/documents/offer', 'admin-documents-kind'],
  ['/legal/offer', 'legal-kind'],
])('%s is the screen %s', (path, screen) => {
  expect(findScreen(path)?.screen).toBe(screen)
})

test('a help slug may span several segments', () => {
  expect(findScreen('/help/a/b/c')?.params).toEqual({ '*': 'a/b/c' })
})

test('the layouts are those of the specification; sign-in pages have no-auth', () => {
  const layouts = new Set(Object.values(screens).map(({ layout }) => layout))
  expect([...layouts].sort()).toEqual(['container-2xl', 'container-full', 'default', 'no-auth'])
  const open = Object.entries(screens).filter(([, { layout }]) => layout === 'no-auth')
  expect(open.map(([name]) => name)).toEqual([
    'auth-signin',
    'auth-second-factor',
    'auth-email-sended',
    'shared-id',
    'legal-kind',
  ])
})

test.each(['/nope', '/admin', '/admin/users/1/2', '/assistants/7', '/profile/7', '/auth'])(
  '%s is not a screen (S2.81)',
  (path) => {
    expect(findScreen(path)).toBeNull()
  },
)

test('a broken escape in an address does not break the table', () => {
  expect(findScreen('/threads/%E0%A4%A')?.params).toEqual({ id: '%E0%A4%A' })
})
