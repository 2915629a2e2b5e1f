import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { TotpSetup } from './totp-setup.tsx'

const totpURI = 'otpauth://totp/App:anna@example.test?secret=ABCDEFGH&issuer=App'
const enrolment = { totpURI, key: 'ABCDEFGH', qr: '<svg xmlns="http://www.w3.org/2000/svg"/>', backupCodes: ['a-b'] }

function open(userAgent: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  new FakeServer().on(authFactorsApi.enableTotp, enrolment)
  return render(<TotpSetup onClose={() => {}} />)
}

test('on a phone the link and the key come before the picture (S10.590)', async () => {
  open('Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36')
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Открыть в приложении' })
  expect(link.getAttribute('href')).toBe(totpURI)
  const copy = screen.getByRole('button', { name: 'Скопировать ключ' })
  const image = screen.getByAltText('QR-код с ключом для приложения')
  const comesBefore = (a: Element, b: Element) =>
    Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING)
  expect([comesBefore(link, copy), comesBefore(copy, image)]).toEqual([true, true])
})

test('on a computer the picture comes first, without a link', async () => {
  open('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36')
  expect(await screen.findByAltText('QR-код с ключом для приложения')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Скопировать ключ' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Открыть в приложении' })).toBeNull()
})
