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

interface StoredThread {
  id: string
  count: number
  /** SQL for the text of the message number `i`. */
  text: string
}

/** SQL for a chat of questions and answers by turns, written straight into the database. */
export const storedThread = (email: string, { id, count, text }: StoredThread) => `
  insert into threads (id, user_id, title, title_source, model_id, current_leaf_id)
    select '${id}', id, 'Длинный чат', 'user', 'script', '${id}-${count}' from users where email = '${email}';
  insert into messages (id, thread_id, user_id, parent_id, role, content, status, created_at)
    select '${id}-' || i, '${id}', users.id, case when i > 1 then '${id}-' || (i - 1) end,
      case when i % 2 = 1 then 'user' else 'assistant' end, ${text}, 'complete',
      now() - make_interval(secs => ${count + 1} - i)
    from users, generate_series(1, ${count}) i where email = '${email}' order by i;`

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
