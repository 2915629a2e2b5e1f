import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { consentKinds } from '#contract/legal.ts'
import type { SessionUser } from '#contract/page.ts'
import { examplePlaceholders, htmlPlaceholders, shellName } from '#contract/shell.ts'
import type { Message } from '#contract/threads.ts'
import { Frame } from '#web/app/frame/frame.tsx'
import { Column, NoAuthLayout } from '#web/app/layouts.tsx'
import { EnterStep } from '#web/features/auth/screens/enter-step.tsx'
import { SampleAnswer } from '#web/features/chat/sample/sample-answer.tsx'
import HomeScreen from '#web/features/chat/screens/home.tsx'
import { unsavedThread } from '#web/features/chat/state/thread-data.ts'
import { ThreadSkeleton, ThreadView } from '#web/features/chat/thread/thread-view.tsx'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { setPageState } from '#web/lib/page-state.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { drawThread } from './drawn-thread.tsx'

/**
 * The layouts as HTML, drawn once by the build from the components of the page. They hold no data: the server fills in
 * who is signed in, lists are still loading. What is in the panel is in a template, for the second frame: it has half
 * of the elements.
 */
export function renderShells(): Record<string, string> {
  const shells: Record<string, string> = {
    [shellName({ layout: 'no-auth' })]: renderShell('/auth/signin', null, <NoAuth>{null}</NoAuth>),
  }
  for (const isSocial of [true, false])
    for (const asks of [true, false])
      shells[shellName({ layout: 'signin', isSocial, asks })] = renderShell(
        '/auth/signin',
        null,
        <NoAuth>
          <EnterStep mode="link" email="" onEmail={() => undefined} sample={<SampleAnswer />} />
        </NoAuth>,
        { isSocial, asks },
      )
  for (const isNamed of [true, false])
    for (const isAdmin of [true, false]) {
      const user = aUser(isNamed, isAdmin)
      for (const isEmpty of [true, false])
        shells[shellName({ layout: 'home', isNamed, isAdmin, isEmpty })] = renderShell(
          '/',
          user,
          <Framed user={user}>
            <HomeScreen />
          </Framed>,
          { isEmpty },
        )
      shells[shellName({ layout: 'thread', isNamed, isAdmin })] = withSlotForRows(
        renderShell(
          '/threads/x',
          user,
          <Framed user={user}>
            <div data-slot="head" className="h-12 max-frame:hidden" />
            <ThreadView data={unsavedThread('x', '', null)} />
          </Framed>,
        ),
      )
      shells[shellName({ layout: 'frame', isNamed, isAdmin })] = renderShell(
        '/x',
        user,
        <Framed user={user}>{null}</Framed>,
      )
    }
  return shells
}

/** The rows stand where the server may put the drawn messages (drawn-thread.tsx). */
function withSlotForRows(html: string): string {
  const rows = '<ol class="flex flex-col"></ol>'
  if (!html.includes(rows)) throw new Error('The list of messages has another form')
  const skeleton = renderToStaticMarkup(<ThreadSkeleton />)
  return html.replace(rows, () => `<div data-slot="rows">${skeleton}</div>`)
}

/** A chat with every kind of Markdown, for the styles of the first paint. */
export function drawSample(): string {
  const message = (role: 'user' | 'assistant', content: string) => ({ ...emptyMessage, id: role, role, content })
  const Messages = [message('assistant', everyKind), message('user', 'Вопрос\n'.repeat(20))]
  return drawThread({ ...unsavedThread('', '', null), Messages }, false)
}

const emptyMessage: Message = {
  ...{ id: '', threadId: '', parentId: null, role: 'user', content: '', status: 'complete', modelId: null },
  ...{ input: 0, output: 0, charged: 0, parts: null, error: null, files: [], citations: [], siblings: [] },
  createdAt: new Date(0).toISOString(),
}

const everyKind = `
# 1
## 2
### 3
#### 4
Текст **важный** *особый* ~~старый~~ \`код\` [ссылка](https://example.com) ![вид](https://example.com/a.png) H~2~O x^2^ $x$[^1]

- один
- [x] два

1. раз

> Цитата

> [!NOTE]
> Заметка

| а | б |
| - | -: |
| 1 | 2 |

---

\`\`\`js
${'let x = 1\n'.repeat(40)}
\`\`\`

$$
x
$$

[^1]: Примечание
`

function aUser(isNamed: boolean, isAdmin: boolean): SessionUser {
  return {
    id: '',
    email: htmlPlaceholders.email,
    name: isNamed ? `${htmlPlaceholders.firstName} ${htmlPlaceholders.otherNames}` : '',
    image: null,
    role: isAdmin ? 'admin' : 'user',
    impersonated: false,
  }
}

const NoAuth = ({ children }: { children: ReactNode }) => <NoAuthLayout isTextPage={false}>{children}</NoAuthLayout>

function Framed({ user, children }: { user: SessionUser; children: ReactNode }) {
  return (
    <Frame user={user}>
      <Column layout="default">{children}</Column>
    </Frame>
  )
}

interface ShellOptions {
  /** The list of chats is empty. */
  isEmpty?: boolean
  isSocial?: boolean
  asks?: boolean
}

function renderShell(
  path: string,
  user: SessionUser | null,
  content: ReactNode,
  { isEmpty = false, isSocial = false, asks = false }: ShellOptions = {},
): string {
  const { appName, social, welcome, offer } = htmlPlaceholders
  setPageState({
    config: {
      ...{ appName, buildId: '', supportUrl: null, mailboxUrl: null, openHelp: [] },
      ...{ socialProviders: isSocial ? [{ id: social, name: social }] : [] },
      analytics: { url: null, yandexMetrikaId: null },
    },
    user,
    // The server takes out those that are not published.
    ...(asks && { toAgree: consentKinds.map((kind) => ({ kind, version: 0 })) }),
    welcome: { text: welcome, offer, examples: [...examplePlaceholders] },
  })
  const client = new QueryClient()
  client.setQueryData(sessionQuery.queryKey, user)
  if (isEmpty)
    client.setQueryData(threadsQuery('active').queryKey, {
      pages: [{ items: [], nextCursor: null }],
      pageParams: [null],
    })
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath={path}>{content}</Router>
    </QueryClientProvider>,
  )
  const withLatePanel = html.replace(/(<aside[^>]*>)(.*)(?=<\/aside>)/s, '$1<template>$2</template>')
  // An avatar renders the first characters of the slot for the name: they become the slot for initials.
  return withLatePanel.replaceAll(/>%{1,2}</g, `>${htmlPlaceholders.initials}<`)
}
