import './commandApproval';
import './ownPermissions';
