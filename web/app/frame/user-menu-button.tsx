import { Suspense, useState } from 'react'
import type { SessionUser } from '#contract/page.ts'
import { lazyPart } from '../lazy-part.ts'
import { UserButton } from './user-button.tsx'

const { Component: UserMenu, preload } = lazyPart(async () => (await import('./user-menu.tsx')).UserMenu)
const preloadMenu = () => void preload().catch(() => undefined)

/** The menu is a good part of the frame's weight and seldom opened: a plain button stands for it until then. */
export function UserMenuButton({ user, compact }: { user: SessionUser; compact: boolean }) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <UserButton
      user={user}
      compact={compact}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={() => setAsked(true)}
    />
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <UserMenu user={user} compact={compact} />
    </Suspense>
  )
}
