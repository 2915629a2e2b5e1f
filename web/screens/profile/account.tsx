import { AccountSections } from './account-sections.tsx'
import { ProfilePage } from './profile-page.tsx'

/** Who the user is, how they sign in, and leaving. */
export function AccountScreen() {
  return <ProfilePage part="profile-account">{(profile) => <AccountSections profile={profile} />}</ProfilePage>
}
