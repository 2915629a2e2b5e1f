import { readFileSync } from 'node:fs'
import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { disputesApi } from '#contract/disputes.ts'
import { decideRoute } from '#contract/route-guard.ts'
import { type FeatureName, findScreen, keepScreensOf, type ScreenName, screens } from '#contract/screens.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { loadAdminPages, panelPages } from '#web/app/frame/navigation.ts'
import { Panel } from '#web/app/frame/panel.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { paths } from '#web/lib/paths.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { filesIn } from '../../scripts/lib/files.mjs'
import { features } from './index.ts'

const all = { ...features }
const names = Object.keys(all) as FeatureName[]
const manifests = await Promise.all(names.map(async (name) => [name, (await all[name]?.load())?.feature] as const))
const optional = manifests.filter(([, feature]) => feature?.isOptional).map(([name]) => name)

const owner = { id: 'o', email: 'o@mail.ru', name: 'Ольга', image: null, role: 'admin', impersonated: false } as const

function takeOut(name: FeatureName) {
  delete features[name]
  keepScreensOf(Object.keys(features))
}

afterEach(() => {
  // One by one, so that the order stays.
  for (const name of names) delete features[name]
  Object.assign(features, all)
  keepScreensOf(names)
})

test('the list has every feature of the table of routes', () => {
  expect(new Set(names)).toEqual(new Set(Object.values(screens).map(({ feature }) => feature)))
})

describe.each(optional)('without %s', (name) => {
  test('both panels lead only to screens that exist (S10.720)', async () => {
    takeOut(name)
    new FakeServer().on(usersApi.me, aProfile()).on(threadsApi.list, []).on(disputesApi.waiting, { count: 2 })
    render(<Panel user={owner} isCompact={false} toggle={null} onSearch={() => {}} />)
    await screen.findByText(/Здесь появятся ваши чаты/)
    const entries = within(screen.getByRole('list', { name: 'Разделы' })).getAllByRole('listitem')
    expect(entries.filter((entry) => !entry.querySelector('a')).map(({ textContent }) => textContent)).toEqual([])
    const pages = [...panelPages(), ...(await loadAdminPages())]
    expect(pages.filter(({ href }) => !findScreen(href))).toEqual([])
  })

  test('its addresses are not found (S10.720)', () => {
    takeOut(name)
    const addresses = Object.values(screens).filter(({ feature }) => feature === name)
    for (const { path } of addresses)
      expect(decideRoute(path, '', owner, [])).toMatchObject({ type: 'fail', error: { status: 404 } })
  })

  test('other features reach it by links, or ask whether it exists (S10.720)', () => {
    expect(references.filter(({ to, from, isSafe }) => to === name && from !== name && !isSafe)).toEqual([])
  })
})

test('a link to a missing screen leaves at most its words (S10.720)', () => {
  takeOut('images')
  const href = paths.images('7')
  render(
    <>
      <Link href={href}>content</Link>
      <TextLink inText href={href}>
        words
      </TextLink>
      <TextLink href={href}>gone</TextLink>
      <ButtonLink href={href}>gone</ButtonLink>
    </>,
  )
  expect(screen.queryByRole('link')).toBeNull()
  expect(document.body.textContent).toContain('contentwords')
  expect(document.body.textContent).not.toContain('gone')
})

test('only the kit imports the link of the router (S10.720)', () => {
  expect(
    sources.filter(({ text }) => /import \{[^}]*\bLink\b[^}]*\} from 'wouter'/.test(text)).map(({ file }) => file),
  ).toEqual(['web/ui/link.tsx'])
})

const sources = filesIn('web')
  .filter((file: string) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('web/lib/'))
  .map((file: string) => ({ file, text: readFileSync(file, 'utf8') }))

/** Every mention of an address. An `href` is safe: our links check it, unless the file navigates to it by itself. */
const references = sources.flatMap(({ file, text }) =>
  text.split('\n').flatMap((line) =>
    [...line.matchAll(/\b(adminPaths|paths)\.(\w+)/g)].flatMap(([mention, table, key = '']) => {
      const path = (table === 'paths' ? paths : adminPaths)[key as never] as ((id: string) => string) | undefined
      const to = path && screens[findScreen(path('a'))?.screen as ScreenName].feature
      const isSafe = text.includes('findScreen(') || (/href\b/i.test(line) && !text.includes('navigate(href)'))
      return to ? [{ file, mention, to, from: /^web\/features\/(\w+)\//.exec(file)?.[1], isSafe }] : []
    }),
  ),
)
