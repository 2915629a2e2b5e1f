import { existsSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { screens } from '../contract/screens.ts'
import { expect, signIn, startSession, test } from './steps.ts'
import { storedThread } from './thread-steps.ts'

/** What a page loads before its content is shown: counts, not times. */

test.use({ isTakenOver: false })

const pageField = (page: Page) => page.locator('#root').getByRole('textbox', { name: 'Сообщение' })
const shellField = (page: Page) => page.locator('#shell').getByRole('textbox', { name: 'Сообщение' })

/** Holds the scripts of the page back, as a slow network does. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.unroute('**/assets/main-*.js')
  await page.route('**/assets/main-*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

test('the page brings all scripts and data of its first screen (S10.400, S10.401, S10.1002)', async ({
  page,
  server,
  email,
}) => {
  const parts = JSON.parse(readFileSync('dist/page-parts.json', 'utf8')) as { screens: Record<string, string[]> }
  expect(Object.keys(parts.screens).sort()).toEqual(Object.keys(screens).sort())
  for (const file of Object.values(parts.screens).flat()) expect(existsSync(`dist/web${file}`), file).toBe(true)

  await signIn(page, server, email)
  await pageField(page).fill('Привет')
  await pageField(page).press('Enter')
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Чаты' }).getByRole('link')).toHaveCount(1)

  await page.addInitScript(noteCallsBeforeContent)
  for (const path of ['/', new URL(page.url()).pathname]) {
    const html = await (await page.goto(path, { waitUntil: 'commit' }))?.text()
    await expect(pageField(page)).toBeVisible()
    const noted = (name: string) => page.locator('html').getAttribute(`data-${name}`)
    await expect.poll(() => noted('scripts-before')).toContain('/main-')
    const scripts = (await noted('scripts-before'))?.split(' ') ?? []
    expect(scripts.filter((one) => !html?.includes(`"${one}`))).toEqual([])
    await expect.poll(() => noted('calls-for-list')).toBe('')
    expect(await noted('calls-before')).toBe('')
    expect(await noted('list-with-page')).toBe('false')
    await expect(page.getByText(/^\d[\d\s]*символ/).first()).toBeVisible()
  }
})

/**
 * Runs in the page: notes which calls were begun when the field, and the open chat, are drawn; whether the chats of the
 * panel came later, and which calls for them were begun by then.
 */
function noteCallsBeforeContent() {
  const calls: string[] = []
  const { fetch } = window
  window.fetch = (...given) => {
    calls.push(String(given[0]))
    return fetch(...given)
  }
  new MutationObserver((_, observer) => {
    const hasMessages = location.pathname === '/' || document.querySelector('#root [data-own-scroll]')
    if (!document.querySelector('#root textarea') || !hasMessages) return
    const hasList = document.querySelector('#root nav[aria-label="Чаты"] a') !== null
    const notes = document.documentElement.dataset
    notes.callsBefore ??= calls.join(' ')
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    notes.scriptsBefore ??= loaded.filter((path) => path.endsWith('.js')).join(' ')
    notes.listWithPage ??= String(hasList)
    if (!hasList) return
    notes.callsForList = calls.filter((path) => /\/api\/threads(\?|$)/.test(path)).join(' ')
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

test('a page creates no errors while it starts (S10.728)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.addInitScript(noteErrors)
  await page.reload()
  await expect(pageField(page)).toBeVisible()
  const ask = (words: string) => page.evaluate((text) => `${new Error(text).message} ${window.name}`, words)
  expect(await ask('counted')).toBe('counted counted')
})

test('the layout takes the focus from no field that was chosen (S10.402)', async ({ page }) => {
  await holdScripts(page)
  await page.goto('/auth/signin', { waitUntil: 'commit' })
  const email = page.locator('#shell').getByRole('textbox', { name: 'Электронная почта' })
  await email.focus()
  // boot.js starts the page once more after a second.
  await page.waitForTimeout(1500)
  await expect(email).toBeFocused()
})

/** Runs in the page: writes the messages of all new errors into the name of the window. */
function noteErrors() {
  window.name = ''
  const note = (name: unknown) => {
    window.name += String(name)
  }
  window.Error = new Proxy(Error, {
    apply(make, self, given) {
      note(given[0])
      return Reflect.apply(make, self, given)
    },
    construct(make, given, target) {
      note(given[0])
      return Reflect.construct(make, given, target)
    },
  })
}

test('the layout is painted as it stays, before any file has come (S10.725)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.unroute('**/assets/main-*.js')
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await shellField(page).waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const before = await looksOf(page, '#shell')
  release()
  await expect(page.locator('#shell')).toHaveCount(0)
  expect(await looksOf(page, '#root')).toEqual(before)
})

/** Sizes, places, colours and borders of what the layout and the page share. */
const looksOf = (page: Page, root: string) =>
  page.evaluate((selector) => {
    const parts = [
      'aside',
      'aside a[href="/threads"]',
      'h1',
      'form',
      'textarea',
      'button[type="submit"]',
      'main button',
    ]
    return parts.map((part) => {
      const element = document.querySelector(`${selector} ${part}`)
      if (!element) return [part]
      const { x, y, width, height } = element.getBoundingClientRect()
      const { color, backgroundColor, borderRadius, borderWidth, borderStyle, fontSize, fontWeight } =
        getComputedStyle(element)
      return [
        part,
        x,
        y,
        width,
        height,
        color,
        backgroundColor,
        borderRadius,
        borderWidth,
        borderStyle,
        fontSize,
        fontWeight,
      ]
    })
  }, root)

test('on a phone the layout and the page place the field alike (S10.446)', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, server, email)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(shellField(page)).toBeVisible()
  const before = await shellField(page).boundingBox()
  release()
  await expect(page.getByRole('button', { name: /^Модель: / })).toBeVisible()
  await expect(page.locator('#shell')).toHaveCount(0)
  const after = await pageField(page).boundingBox()
  expect([after?.x, after?.y, after?.height]).toEqual([before?.x, before?.y, before?.height])
})

test('on a slow processor nothing moves and no key is lost (S10.402)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.addInitScript(noteShifts)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await shellField(page).waitFor()
  release()
  const text = 'Почему небо синее, а закат красный?'
  await page.keyboard.type(text, { delay: 40 })
  await expect(page.locator('#shell')).toHaveCount(0)
  await expect(pageField(page)).toHaveValue(text)
  expect(Number(await page.locator('html').getAttribute('data-shift'))).toBeLessThan(0.02)
})

/** Runs in the page: adds up how far its content moves. */
function noteShifts() {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += shift.value
    document.documentElement.dataset.shift = String(sum)
  }).observe({ type: 'layout-shift', buffered: true })
}

test('a chat is read and answered before its scripts (S10.727)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await pageField(page).fill('Привет')
  await pageField(page).press('Enter')
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Процитировать' })).toBeVisible()
  await page.addInitScript(noteShifts)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    const release = await holdScripts(page)
    await page.reload({ waitUntil: 'commit' })
    const drawn = page.locator('#shell li').filter({ hasText: 'Вы спросили: «Привет».' }).locator('p').first()
    const before = await drawn.boundingBox()
    await shellField(page).fill('Спасибо')
    release()
    await expect(page.locator('#shell')).toHaveCount(0)
    await expect(pageField(page)).toHaveValue('Спасибо')
    const after = await page.locator('#root').getByText('Вы спросили: «Привет».').boundingBox()
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
    expect(after?.x).toBe(before?.x)
    expect(Number(await page.locator('html').getAttribute('data-shift'))).toBeLessThan(0.02)
    await pageField(page).fill('')
  }
})

/** A chat of twenty messages whose heights the page can only estimate. */
const tallThread = {
  id: 'tall-thread',
  count: 20,
  text: `'Сообщение ' || i || repeat(E'\\n\\n## Шаг\\n\\nОбычные слова.\\n\\n- раз\\n- два', 1 + i % 5)`,
}

test('the page takes over with the focus and at the end (S10.402, S10.1003)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await server.rewrite(storedThread(email, tallThread))
  await page.addInitScript(noteTakingOver)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  for (const path of ['/', '/threads/tall-thread']) {
    await page.goto(path, { waitUntil: 'commit' })
    const noted = (name: string) => page.locator('html').getAttribute(`data-${name}`)
    await expect.poll(() => noted('frames')).toBe('20')
    expect(await noted('has-focus'), path).toBe('true')
    expect(await noted('is-watched'), path).toBe('true')
    expect(Number(await noted('moved')), path).toBeLessThanOrEqual(1)
  }
})

/** Runs in the page: whether its field has the focus as soon as it is there, and how far it moves in its first frames. */
function noteTakingOver() {
  const { observe } = ResizeObserver.prototype
  let isWatched = false
  ResizeObserver.prototype.observe = function (this: ResizeObserver, element, ...rest) {
    isWatched ||= element.matches('[data-own-scroll]')
    return observe.call(this, element, ...rest)
  }
  new MutationObserver((_, observer) => {
    const field = document.querySelector('#root textarea')
    if (!field) return
    observer.disconnect()
    const notes = document.documentElement.dataset
    notes.hasFocus = String(document.activeElement === field)
    notes.isWatched = String(isWatched || !document.querySelector('[data-own-scroll]'))
    const content = document.querySelector('#root [role=log] > ol > li:last-child') ?? field
    const places: number[] = []
    // A new observer is told the place in the frame that is painted, after all corrections in it.
    function look([entry]: IntersectionObserverEntry[], looking: IntersectionObserver) {
      looking.disconnect()
      places.push(entry?.boundingClientRect.bottom ?? 0)
      notes.moved = String(Math.max(...places) - Math.min(...places))
      notes.frames = String(places.length)
      if (places.length < 20) nextFrame()
    }
    const nextFrame = () => requestAnimationFrame(() => new IntersectionObserver(look).observe(content))
    nextFrame()
  }).observe(document, { childList: true, subtree: true })
}

test('words typed or sent before the scripts are not lost (S10.402, S10.403)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await expect(pageField(page)).toBeVisible()

  let release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: /^Здравствуйте/ })).toBeVisible()
  await shellField(page).pressSequentially('Чай или кофе')
  for (let i = 0; i < 4; i++) await shellField(page).press('ArrowLeft')
  await page
    .locator('#shell')
    .getByRole('button', { name: /^Поиск/ })
    .click()
  release()
  await expect(pageField(page)).toHaveValue('Чай или кофе')
  expect(await pageField(page).evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(8)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')

  release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await shellField(page).pressSequentially('и сахар')
  await shellField(page).press('Enter')
  release()
  await expect(pageField(page)).toHaveValue('Чай или кофе\n\nи сахар')
  await pageField(page).fill('')

  release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await shellField(page).pressSequentially('Привет')
  await shellField(page).press('Enter')
  await page.locator('#shell').getByRole('button', { name: 'Отправить' }).click()
  release()
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
  await expect(page.locator('#root').getByText('Привет', { exact: true })).toHaveCount(1)
  await expect(page.getByRole('navigation', { name: 'Чаты' }).getByRole('link')).toHaveCount(1)
})
