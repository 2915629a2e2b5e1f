import { describe, expect, test } from 'vitest'
import { safeImage, safeUrl } from './safe-url.ts'

const HERE = 'https://symbol.example'

describe('a link may lead to', () => {
  test.each([
    ['https://example.com/a?b=c#d', 'outside', 'https://example.com/a?b=c#d'],
    ['HTTP://example.com', 'outside', 'http://example.com/'],
    ['mailto:help@example.com', 'outside', 'mailto:help@example.com'],
    ['tel:+79990000000', 'outside', 'tel:+79990000000'],
    ['https://пример.рф/путь', 'outside', 'https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C'],
    ['/profile', 'screen', '/profile'],
    ['/threads/42?a=1#b', 'screen', '/threads/42?a=1#b'],
    [`${HERE}/help`, 'screen', '/help'],
    ['/api/files/1', 'file', '/api/files/1'],
    ['/no-such-page', 'file', '/no-such-page'],
    // Examples 202 and 603 of CommonMark.
    ['/url\\bar*baz', 'file', '/url%5Cbar*baz'],
    ['https://example.com/\\[\\', 'outside', 'https://example.com/%5C%5B%5C'],
    ['https://[::1]/a[0]?b[]=1', 'outside', 'https://[::1]/a%5B0%5D?b%5B%5D=1'],
    ['https:\\\\example.com\\a', 'outside', 'https://example.com/a'],
  ])('%s', (address, kind, href) => expect(safeUrl(address, HERE)).toEqual({ kind, href }))
})

test.each([
  'javascript:alert(1)',
  ' JAVASCRIPT:alert(1)',
  'java\nscript:alert(1)',
  '\u0000javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://symbol.example/1',
  'file:///etc/passwd',
  'ftp://example.com',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'docs/readme.md',
  '#part',
  '?a=1',
  '',
  'https://',
  'https://symbol.example@evil.example/',
])('a link may not lead to %j', (address) => expect(safeUrl(address, HERE)).toBeNull())

test('our pictures are shown, external pictures on request, others never', () => {
  const own = '/api/images/0190aaaa-bbbb/file'
  expect(safeImage(own, HERE)).toEqual({ kind: 'own', src: own })
  for (const other of [
    '/api/auth/magic-link/verify?token=x',
    '/api/auth/sign-out',
    `${own}?x=1`,
    '/api/images/1/../file',
  ])
    expect(safeImage(other, HERE)).toBeNull()
  expect(safeImage('https://example.com/a.png', HERE)).toEqual({
    kind: 'remote',
    src: 'https://example.com/a.png',
    host: 'example.com',
  })
  for (const address of ['data:image/png;base64,x', 'http://example.com/a.png', '/profile', '/api/../profile', 'a.png'])
    expect(safeImage(address, HERE)).toBeNull()
})
