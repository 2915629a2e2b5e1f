import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { examplePlaceholders, htmlPlaceholders, shellName } from '#contract/shell.ts'
import { Frame } from '#web/app/frame/frame.tsx'
import { Column, NoAuthLayout } from '#web/app/layouts.tsx'
import { EnterStep } from '#web/features/auth/screens/enter-step.tsx'
import { SampleAnswer } from '#web/features/chat/sample/sample-answer.tsx'
import HomeScreen from '#web/features/chat/screens/home.tsx'
import { ThreadSkeleton } from '#web/features/chat/thread/thread-view.tsx'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { setPageState } from '#web/lib/page-state.ts'
import { sessionQuery } from '#web/lib/session.ts'

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
    shells[shellName({ layout: 'signin', isSocial })] = renderShell(
      '/auth/signin',
      null,
      <NoAuth>
        <EnterStep mode="link" email="" onEmail={() => undefined} sample={<SampleAnswer />} />
      </NoAuth>,
      { isSocial },
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
      shells[shellName({ layout: 'thread', isNamed, isAdmin })] = renderShell(
        '/threads/x',
        user,
        <Framed user={user}>
          <div className="mx-auto w-full max-w-[792px] flex-1">
            <ThreadSkeleton />
          </div>
        </Framed>,
      )
      shells[shellName({ layout: 'frame', isNamed, isAdmin })] = renderShell(
        '/x',
        user,
        <Framed user={user}>{null}</Framed>,
      )
    }
  return shells
}

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
}

function renderShell(
  path: string,
  user: SessionUser | null,
  content: ReactNode,
  { isEmpty = false, isSocial = false }: ShellOptions = {},
): string {
  const { appName, social, welcome, offer } = htmlPlaceholders
  setPageState({
    config: {
      ...{ appName, buildId: '', supportUrl: null, mailboxUrl: null, openHelp: [] },
      ...{ socialProviders: isSocial ? [{ id: social, name: social }] : [] },
      analytics: { url: null, yandexMetrikaId: null },
    },
    user,
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
  return withLatePanel
    .replaceAll(/>%{1,2}</g, `>${htmlPlaceholders.initials}<`)
    .replace('<textarea ', '<textarea autofocus="" ')
}
