import type { Profile } from '#contract/users.ts'
import { ConsentList } from '#web/features/legal/consent-list.tsx'
import { DeleteAccount, OwnData } from '#web/features/users/account-data.tsx'
import { EmailSettings } from '#web/features/users/email-settings.tsx'
import { LinkedAccounts } from '#web/features/users/linked-accounts.tsx'
import { NameForm } from '#web/features/users/name-form.tsx'
import { PasskeyList } from '#web/features/users/passkey-list.tsx'
import { PasswordSettings } from '#web/features/users/password-settings.tsx'
import { ProfileImageField } from '#web/features/users/profile-image-field.tsx'
import { SecondFactor } from '#web/features/users/second-factor.tsx'
import { SessionList } from '#web/features/users/session-list.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import { ProfilePage } from './profile-page.tsx'

/** Who the user is, how they sign in, and leaving. */
export default function AccountScreen() {
  return <ProfilePage part="profile-account">{(profile) => <AccountSections profile={profile} />}</ProfilePage>
}

function AccountSections({ profile }: { profile: Profile }) {
  const { name, image, email } = profile
  return (
    <>
      <Section id="account" title="Обо мне">
        <Card className="flex flex-col gap-6">
          <ProfileImageField name={name || email} image={image} />
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
      <Section id="second-factor" title="Вход в два шага">
        <Card>
          <SecondFactor />
        </Card>
      </Section>
      <Section id="passkeys" title="Ключи доступа (passkeys)">
        <Card>
          <PasskeyList />
        </Card>
      </Section>
      <Section id="sessions" title="Сеансы" description="Где вы вошли. Не узнаёте устройство — завершите сеанс.">
        <Card>
          <SessionList />
        </Card>
      </Section>
      <Section id="consents" title="Мои согласия">
        <Card>
          <ConsentList />
        </Card>
      </Section>
      <Section id="data" title="Мои данные">
        <Card>
          <OwnData userId={profile.id} />
        </Card>
      </Section>
      <Section id="delete" title="Удаление аккаунта">
        <Card>
          <DeleteAccount profile={profile} />
        </Card>
      </Section>
    </>
  )
}
