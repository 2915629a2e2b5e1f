import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { helpApi } from '#contract/help.ts'
import { projectsApi } from '#contract/projects.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { useSections } from './use-sections.ts'

const opened: string[] = []

function Found({ typed }: { typed: string }) {
  const { sections } = useSections(typed, { commands: [], go: (address) => opened.push(address) })
  return sections.map(({ title, items }) => (
    <section key={title} aria-label={title}>
      {items.map(({ id, title: parts, note, run }) => (
        <button key={id} type="button" onClick={run}>
          {parts.map(({ text }) => text).join('')} {note}
        </button>
      ))}
    </section>
  ))
}

test('the palette finds projects by name (S10.877)', async () => {
  const at = '2026-10-01T09:00:00.000Z'
  const project = { icon: '🔨', archived: false, chats: 1, createdAt: at, updatedAt: at }
  new FakeServer()
    .on(usersApi.me, { ...aProfile(), hasProjects: true })
    .on(assistantsApi.list, [])
    .on(threadsApi.list, [])
    .on(helpApi.search, [])
    .on(projectsApi.list, [
      { ...project, id: 'home', name: 'Ремонт кухни' },
      { ...project, id: 'old', name: 'Ремонт дачи', archived: true },
      { ...project, id: 'trip', name: 'Поездка' },
    ])
  const { user } = render(<Found typed="ремонт" />)
  await user.click(await screen.findByRole('button', { name: 'Ремонт кухни Проект' }))
  expect(opened).toEqual(['/projects/home'])
  expect(screen.getByRole('button', { name: 'Ремонт дачи В архиве' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Поездка/ })).toBeNull()
})

test('help for owners is marked in the palette (S10.1551)', async () => {
  const found = { heading: null, fragment: [] }
  new FakeServer()
    .on(usersApi.me, aProfile())
    .on(assistantsApi.list, [])
    .on(threadsApi.list, [])
    .on(helpApi.search, [
      { ...found, slug: 'money/receipts', title: 'Чеки', forAdmins: false },
      { ...found, slug: 'owners/payments', title: 'Как принимать оплату', forAdmins: true },
    ])
  render(<Found typed="чек" />)
  expect(await screen.findByRole('button', { name: 'Как принимать оплату Владельцу' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Чеки' })).toBeTruthy()
})
