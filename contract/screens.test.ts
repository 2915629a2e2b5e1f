import { expect, test } from 'vitest'
import { findScreen, normalPath, screens } from './screens.ts'

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

/** Spellings that browsers and servers take for the same path. */
const spellings = [
  ['//admin/plans', '/admin/plans'],
  ['///admin///plans', '/admin/plans'],
  ['/admin/plans/', '/admin/plans'],
  ['/admin/plans//', '/admin/plans'],
  ['/./admin/plans', '/admin/plans'],
  ['/help/../admin/plans', '/admin/plans'],
  ['/help/%2e%2E/admin/plans', '/admin/plans'],
  ['/%2E/admin/plans', '/admin/plans'],
  ['/%61dmin/plans', '/admin/plans'],
  ['/%61%64%6D%69%6E/pl%61ns', '/admin/plans'],
  ['/\\admin\\plans', '/admin/plans'],
  ['/../../admin/plans', '/admin/plans'],
  ['/auth/email-sended/', '/auth/email-sended'],
  ['/auth/email%2Dsended', '/auth/email-sended'],
] as const

test.each(spellings)('%s is the address %s (S10.1420)', (spelling, path) => {
  expect(normalPath(spelling)).toBe(path)
  expect(normalPath(path)).toBe(path)
  expect(findScreen(spelling)).toEqual(findScreen(path))
})

test.each(['/Admin/plans', '/ADMIN/plans', '/admin%2Fplans', '/%2561dmin/plans', '/admin%00/plans', '/admin;/plans'])(
  '%s is not another spelling of a screen (S10.1420)',
  (address) => {
    expect(findScreen(address)).toBeNull()
  },
)

test('ids and names in an address stay as they are written (S10.1420)', () => {
  for (const path of ['/', '/threads/a%2Fb', '/help/%D0%BF%D1%83%D1%82%D1%8C', '/threads/%E0%A4%A'])
    expect(normalPath(path)).toBe(path)
})
