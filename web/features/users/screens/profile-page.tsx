import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { movedSection, type ProfilePart, profileParts } from '#contract/profile-sections.ts'
import type { Profile } from '#contract/users.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useHash } from '#web/lib/use-hash.ts'
import { RowSkeletons } from '#web/ui/icon-row.tsx'
import { Link } from '#web/ui/link.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { tabRowStyle, tabStyle } from '#web/ui/tabs.tsx'

const labels: Record<ProfilePart, string> = {
  profile: 'Баланс и оплата',
  'profile-operations': 'Операции',
  'profile-keys': 'Ключи API',
  'profile-settings': 'Настройки',
  'profile-account': 'Аккаунт',
}
const parts = (Object.keys(labels) as ProfilePart[]).map((part) => ({
  part,
  label: labels[part],
  href: profileParts[part].path,
}))

interface ProfilePageProps {
  part: ProfilePart
  children: (profile: Profile) => ReactNode
}

/** One part of the profile under the links to all parts. */
export function ProfilePage({ part, children }: ProfilePageProps) {
  const profile = useProfile()
  const isMoved = useMovedSection(part)
  if (isMoved) return null
  return (
    <div className="flex max-w-[672px] flex-col gap-8 xl:max-w-[57.5rem]">
      <div className="flex flex-col gap-4">
        <h1 className="text-2xl font-semibold">Профиль</h1>
        <PartLinks part={part} />
      </div>
      {profile.data ? (
        <div data-beside className="group/parts flex flex-col gap-10">
          {children(profile.data)}
        </div>
      ) : profile.isError ? (
        <QueryError query={profile} />
      ) : (
        <RowSkeletons count={6} />
      )}
    </div>
  )
}

/** Emails and bookmarks from the time of one long page name a section without its part. */
function useMovedSection(part: ProfilePart): boolean {
  const [, navigate] = useLocation()
  const right = movedSection(profileParts[part].path, useHash())
  useLayoutEffect(() => {
    // The hash of a link is seen before its path, so a filter in the address must stay.
    if (right) navigate(right.replace('#', `${location.search}#`), { replace: true })
  }, [right, navigate])
  return right !== null
}

/** Enough of the next tab to see that there is one. */
const NEXT_SHOWN = 40

function PartLinks({ part }: { part: ProfilePart }) {
  const row = useRef<HTMLElement>(null)
  // Not scrollIntoView, which would move the page as well.
  useEffect(() => {
    const here = row.current?.querySelector('[aria-current]')
    if (!row.current || !here) return
    const hidden = here.getBoundingClientRect().right - row.current.getBoundingClientRect().right
    if (hidden > 0) row.current.scrollLeft += hidden + NEXT_SHOWN
  }, [])
  return (
    <nav ref={row} aria-label="Части профиля" className={tabRowStyle}>
      {parts.map(({ part: name, label, href }) => (
        <Link
          key={name}
          href={href}
          aria-current={name === part ? 'page' : undefined}
          className={tabStyle(name === part)}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
