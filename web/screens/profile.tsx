import { useLocation, useSearch } from 'wouter'
import type { Profile } from '#contract/users.ts'
import { ConsentSwitch } from '#web/features/analytics/consent-switch.tsx'
import { readPayment } from '#web/features/billing/payment-outcome.ts'
import { PaymentReturn } from '#web/features/billing/payment-return.tsx'
import { RowSkeletons } from '#web/features/users/account-row.tsx'
import { ChatSettings } from '#web/features/users/chat-settings.tsx'
import { useProfile } from '#web/features/users/queries.ts'
import { ThemeChoice } from '#web/features/users/theme-choice.tsx'
import { hasAnalytics } from '#web/lib/analytics.ts'
import { paths } from '#web/lib/paths.ts'
import { Card } from '#web/ui/card.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Section } from '#web/ui/section.tsx'
import { AccountSections } from './profile/account-sections.tsx'
import { MoneySections } from './profile/money-sections.tsx'

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

function ChatSection({ profile }: { profile: Profile }) {
  return (
    <Section id="chat" title="Настройки чата">
      <Card>
        <ChatSettings settings={profile.Settings} />
      </Card>
    </Section>
  )
}

/** The payment provider redirects to /profile?payment=ORDER. */
function ReturnedPayment() {
  const [, navigate] = useLocation()
  const orderId = readPayment(useSearch())
  if (!orderId) return null
  const leaveTo = (path: string) => navigate(path, { replace: true })
  return (
    <PaymentReturn
      orderId={orderId}
      onClose={() => leaveTo(paths.profile())}
      onRetry={(kind) => leaveTo(paths.profile(kind === 'bundle' ? 'bundles' : 'plan'))}
    />
  )
}
