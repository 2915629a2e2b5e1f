import { DeleteAccount } from '#web/features/users/delete-account.tsx'
import { EmailSettings } from '#web/features/users/email-settings.tsx'
import { LinkedAccounts } from '#web/features/users/linked-accounts.tsx'
import { NameForm } from '#web/features/users/name-form.tsx'
import { PasswordSettings } from '#web/features/users/password-settings.tsx'
import { PictureField } from '#web/features/users/picture-field.tsx'
import { useProfile } from '#web/features/users/queries.ts'
import { QueryFailure } from '#web/features/users/query-failure.tsx'
import { RowSkeletons } from '#web/features/users/row-skeletons.tsx'
import { SessionList } from '#web/features/users/session-list.tsx'
import { ThemeChoice } from '#web/features/users/theme-choice.tsx'
import { formatSymbols } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'

export function ProfileScreen() {
  const profile = useProfile()
  if (profile.data) return <ProfileSections profile={profile.data} />
  return (
    <>
      <h1 className="text-2xl font-semibold">Профиль</h1>
      <div className="mt-8">{profile.isError ? <QueryFailure query={profile} /> : <RowSkeletons count={6} />}</div>
    </>
  )
}

function ProfileSections({ profile }: { profile: NonNullable<ReturnType<typeof useProfile>['data']> }) {
  const { name, image, email } = profile
  return (
    <div className="flex flex-col gap-10">
      <h1 className="text-2xl font-semibold">Профиль</h1>
      <Section id="balance" title="Баланс">
        <Card>
          <p className="figures text-2xl font-semibold">{formatSymbols(profile.SingleSubscription.availableTokens)}</p>
          <p className="mt-1 text-muted">Остаток</p>
        </Card>
      </Section>
      <Section id="appearance" title="Оформление">
        <ThemeChoice />
      </Section>
      <Section id="account" title="Обо мне">
        <Card className="flex flex-col gap-6">
          <PictureField name={name || email} image={image} />
          <NameForm name={name} />
        </Card>
      </Section>
      <Section id="email" title="Почта">
        <Card>
          <EmailSettings owner={profile} />
        </Card>
      </Section>
      <Section id="password" title="Пароль">
        <Card>
          <PasswordSettings email={email} />
        </Card>
      </Section>
      <Section id="sign-in" title="Способы входа">
        <Card>
          <LinkedAccounts email={email} />
        </Card>
      </Section>
      <Section id="sessions" title="Сеансы" description="Где вы вошли. Незнакомый сеанс завершите и смените пароль.">
        <Card>
          <SessionList />
        </Card>
      </Section>
      <Section id="delete" title="Удаление аккаунта">
        <Card>
          <DeleteAccount profile={profile} />
        </Card>
      </Section>
    </div>
  )
}
