import { existsSync, readFileSync } from 'node:fs'
import { screens } from '../contract/screens.ts'
import { expect, signIn, test } from './steps.ts'

/** What stands between an address and its content. Counts, not times. */

test('the page names every script that its screen needs, and the build has those of all screens', async ({
  page,
  server,
  email,
}) => {
  const parts = JSON.parse(readFileSync('dist/page-parts.json', 'utf8')) as { screens: Record<string, string[]> }
  expect(Object.keys(parts.screens).sort()).toEqual(Object.keys(screens).sort())
  for (const file of Object.values(parts.screens).flat()) expect(existsSync(`dist/web${file}`), file).toBe(true)

  await signIn(page, server, email)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const html = await (await page.goto('/'))?.text()
  await page.locator('#root').getByRole('textbox', { name: 'Сообщение' }).waitFor()
  expect(asked.filter((path) => path.endsWith('.js') && !html?.includes(`"${path}"`))).toEqual([])
})
