import { expect, test } from 'vitest'
import { redirectText } from './redirect-texts.ts'

test.each([
  'invalid_callback_request',
  'state_not_found',
  'no_code',
  'oauth_provider_not_found',
  'invalid_code',
  'unable_to_get_user_info',
  'no_callback_url',
  'unable_to_link_account',
  "email_doesn't_match",
  'account_already_linked_to_different_user',
  'email_not_found',
  'link_confirmation_sent',
  'open_where_asked',
])('the callback error %s has Russian words', (code) => {
  expect(redirectText(code)).toMatch(/^[А-ЯЁ]/)
})

test('an unknown code has no text', () => {
  expect(redirectText('something_new')).toBeNull()
  expect(redirectText('toString')).toBeNull()
})
