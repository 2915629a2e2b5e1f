import { expect, type Locator, type Page } from '@playwright/test'

/** Chats that are there when the page is opened next. */
export async function createThreads(page: Page, ...titles: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const title of titles) {
    const answer = await page.request.post('/api/threads', { data: { title } })
    expect(answer.ok(), await answer.text()).toBe(true)
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}

export async function ask(page: Page, id: string | undefined, content: string): Promise<void> {
  const answer = await page.request.post(`/api/threads/${id}/message`, {
    data: { content },
    headers: { accept: 'application/json' },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

export const panel = (page: Page): Locator => page.getByRole('navigation', { name: 'Чаты' })

export async function chooseFromMenu(page: Page, title: string, item: string): Promise<void> {
  const list = panel(page)
  await list.getByRole('link', { name: title, exact: true }).hover()
  await list.getByRole('button', { name: `Меню чата «${title}»` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
