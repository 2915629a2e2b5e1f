import type { Profile } from '#contract/users.ts'
import { ConsentSwitch } from '#web/features/analytics/consent-switch.tsx'
import { RowSkeletons } from '#web/features/users/account-row.tsx'
import { useProfile } from '#web/features/users/queries.ts'
import { ThemeChoice } from '#web/features/users/theme-choice.tsx'
import { hasAnalytics } from '#web/lib/analytics.ts'
import { Card } from '#web/ui/card.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Section } from '#web/ui/section.tsx'
import { AccountSections } from './profile/account-sections.tsx'
import { ChatSection } from './profile/chat-section.tsx'
import { MoneySections } from './profile/money-sections.tsx'
import { ReturnedPayment } from './profile/returned-payment.tsx'

export function ProfileScreen() {
  const profile = useProfile()
  if (profile.data) return <ProfileSections profile={profile.data} />
  return (
    <>
      <h1 className="text-2xl font-semibold">Профиль</h1>
      <div className="mt-8">{profile.isError ? <QueryError query={profile} /> : <RowSkeletons count={6} />}</div>
    </>
  )
}

/** What I have, what I did, what I prefer, who I am, leaving. */
function ProfileSections({ profile }: { profile: Profile }) {
  return (
    <div className="flex flex-col gap-10">
      <h1 className="text-2xl font-semibold">Профиль</h1>
      <ReturnedPayment />
      <MoneySections profile={profile} />
      <ChatSection profile={profile} />
      <Section id="appearance" title="Оформление">
        <ThemeChoice />
      </Section>
      {hasAnalytics() && (
        <Section id="privacy" title="Статистика посещений">
          <Card>
            <ConsentSwitch />
          </Card>
        </Section>
      )}
      <AccountSections profile={profile} />
    </div>
  )
}
