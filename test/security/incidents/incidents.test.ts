import './commandApproval';
import './ownPermissions';
import './paths';
