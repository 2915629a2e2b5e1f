import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ProjectRow, projectsApi } from '#contract/projects.ts'
import { threadsApi } from '#contract/threads.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { MoveDialog } from './move-dialog.tsx'
import { PanelProjects, threadIdIn } from './panel-projects.tsx'
import { aThread } from './testing/threads.ts'
import { ThreadList } from './thread-list.tsx'

const at = '2026-10-01T09:00:00.000Z'
const aProject = (id: string, more: Partial<ProjectRow> = {}): ProjectRow => ({
  ...{ id, name: id, icon: 'blue', archived: false, chats: 1, createdAt: at, updatedAt: at },
  ...more,
})
const quiet = { subscribe: () => () => undefined, isAnswering: () => false }
const loose = aThread('loose-chat', { title: 'Отпуск' })
const inside = aThread('inside-chat', { title: 'Обои', projectId: 'home' })

function open() {
  openSilentRealtime()
  const server = new FakeServer()
    .on(projectsApi.list, [aProject('home', { name: 'Ремонт' }), aProject('old', { name: 'Старое', archived: true })])
    .on(threadsApi.list, ({ query }) => (query.project === 'home' ? [inside] : [loose, inside]))
    .on(threadsApi.update, ({ body }) => ({ ...loose, projectId: body.projectId ?? null, version: 2 }))
  const shown = render(
    <nav>
      <PanelProjects />
      <ThreadList answering={quiet} />
    </nav>,
  )
  return { server, ...shown }
}

test('the panel has projects folded, without archived ones and empty days (S10.869)', async () => {
  const { user } = open()
  const project = await screen.findByRole('link', { name: 'Ремонт' })
  expect(project.getAttribute('href')).toBe('/projects/home')
  expect(screen.queryByText('Старое')).toBeNull()
  expect(await screen.findByRole('link', { name: 'Отпуск' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Обои' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Чаты проекта «Ремонт»' }))
  const chats = await screen.findByRole('list', { name: 'Последние чаты проекта «Ремонт»' })
  expect(within(chats).getByRole('link', { name: 'Обои' })).toBeTruthy()
})

test('a chat that is dragged onto a project moves there (S10.870)', async () => {
  const { server } = open()
  await screen.findByRole('link', { name: 'Отпуск' })
  const target = await screen.findByRole('link', { name: 'Ремонт' })
  const drop = createEvent.drop(target)
  const link = `${location.origin}/threads/loose-chat`
  Object.defineProperty(drop, 'dataTransfer', { value: { types: ['text/uri-list'], getData: () => link } })
  fireEvent(target, drop)
  await waitFor(() => expect(server.calls(threadsApi.update)).toHaveLength(1))
  expect(server.calls(threadsApi.update)[0]).toMatchObject({
    params: { id: 'loose-chat' },
    body: { projectId: 'home' },
  })
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Отпуск' })).toBeNull())
})

test('a chat that is dragged to the days leaves its project (S10.874)', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Чаты проекта «Ремонт»' }))
  const days = await screen.findByRole('link', { name: 'Отпуск' })
  const drag = (type: 'dragStart' | 'drop', target: Element) => {
    const event = createEvent[type](target)
    const data = { types: ['text/uri-list'], getData: () => `${location.origin}/threads/inside-chat` }
    Object.defineProperty(event, 'dataTransfer', { value: data })
    fireEvent(target, event)
  }
  // A chat without a project stays where it is.
  drag('dragStart', days)
  drag('drop', days)
  drag('dragStart', await screen.findByRole('link', { name: 'Обои' }))
  drag('drop', days)
  await waitFor(() => expect(server.calls(threadsApi.update)).toHaveLength(1))
  expect(server.calls(threadsApi.update)[0]).toMatchObject({ params: { id: 'inside-chat' }, body: { projectId: null } })
})

test('the panel keeps room for projects until they are loaded (S10.875)', async () => {
  openSilentRealtime()
  new FakeServer().on(projectsApi.list, [aProject('home', { name: 'Ремонт' })])
  render(<PanelProjects place={<p>Место проектов</p>} />)
  expect(screen.getByText('Место проектов')).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'Ремонт' })).toBeTruthy()
  expect(screen.queryByText('Место проектов')).toBeNull()
})

test('only links to chats of this site are chats', () => {
  expect(threadIdIn(`${location.origin}/threads/abc?message=1`)).toBe('abc')
  for (const link of ['https://elsewhere.test/threads/abc', `${location.origin}/threads`, 'words', ''])
    expect(threadIdIn(link)).toBeNull()
})

test('the dialog moves chats into a project and out of it (S10.871)', async () => {
  const server = new FakeServer()
    .on(projectsApi.list, [aProject('home', { name: 'Ремонт' }), aProject('trip', { name: 'Поездка' })])
    .on(threadsApi.update, ({ body }) => ({ ...inside, projectId: body.projectId ?? null, version: 2 }))
  const { user } = render(<MoveDialog threads={[inside]} onClose={() => {}} />)
  expect((await screen.findByRole('button', { name: /Ремонт/ })).hasAttribute('disabled')).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Поездка' }))
  await waitFor(() => expect(server.calls(threadsApi.update)[0]?.body).toEqual({ projectId: 'trip' }))
  await user.click(screen.getByRole('button', { name: 'Без проекта' }))
  await waitFor(() => expect(server.calls(threadsApi.update)[1]?.body).toEqual({ projectId: null }))
})
